package ebb.ledbat.connection;

import ebb.ledbat.wire.Packet;
import ebb.ledbat.wire.SeqNr;
import java.net.InetSocketAddress;

/**
 * What names a connection on the wire from its first packet to its last.
 *
 * @param remote the peer's address
 * @param initiator whether this side sends the SYN
 * @param receiveId the id in packets that come in
 * @param sendId the id in packets that go out
 * @param synSeqNr the SYN's sequence number
 * @param firstSeqNr the sequence number of the first packet that this side sends after the
 *     handshake
 */
record ConnectionIds(
    InetSocketAddress remote,
    boolean initiator,
    int receiveId,
    int sendId,
    int synSeqNr,
    int firstSeqNr) {

  /** BEP 29: "conn_id_recv = rand(), conn_id_send = conn_id_recv + 1". */
  static ConnectionIds ofInitiator(InetSocketAddress remote, int receiveId, int synSeqNr) {
    return new ConnectionIds(
        remote, true, receiveId, SeqNr.plus(receiveId, 1), synSeqNr, SeqNr.plus(synSeqNr, 1));
  }

  /** BEP 29: "conn_id_recv = pkt.conn_id + 1, conn_id_send = pkt.conn_id". */
  static ConnectionIds ofAcceptor(InetSocketAddress remote, Packet syn, int firstSeqNr) {
    return new ConnectionIds(
        remote,
        false,
        SeqNr.plus(syn.connectionId(), 1),
        syn.connectionId(),
        syn.seqNr(),
        firstSeqNr);
  }
}
