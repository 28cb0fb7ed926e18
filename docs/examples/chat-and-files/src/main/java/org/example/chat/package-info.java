/** Lines and files between peers behind address translation, on Ebb. */
@NullMarked
package org.example.chat;

import org.jspecify.annotations.NullMarked;
