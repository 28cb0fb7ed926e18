/** A small BitTorrent peer (BEP 3) whose connections are Ebb's byte streams. */
@NullMarked
package ebb.example.bittorrent;

import org.jspecify.annotations.NullMarked;
