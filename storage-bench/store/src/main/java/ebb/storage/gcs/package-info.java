/** Google Cloud Storage, by Google's own library. Nothing else of Ebb sees that library. */
@NullMarked
package ebb.storage.gcs;

import org.jspecify.annotations.NullMarked;
