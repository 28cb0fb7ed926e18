/** Several machines that measure one store together, and one that tells them when. */
@NullMarked
package ebb.storage.clients;

import org.jspecify.annotations.NullMarked;
