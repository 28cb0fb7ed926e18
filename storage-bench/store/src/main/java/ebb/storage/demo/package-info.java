/**
 * An object store over real HTTP in this process: the part of Cloud Storage's JSON API that Ebb
 * uses, with a known rate and latency, and with faults on demand.
 */
@NullMarked
package ebb.storage.demo;

import org.jspecify.annotations.NullMarked;
