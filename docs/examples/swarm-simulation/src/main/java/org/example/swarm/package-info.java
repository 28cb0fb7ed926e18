/** A peer-to-peer swarm on Ebb: one component, live and in Kompics' simulator. */
@NullMarked
package org.example.swarm;

import org.jspecify.annotations.NullMarked;
