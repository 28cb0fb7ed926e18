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

  /**
   * BEP 29, connection setup: "c.conn_id_recv = rand(); c.conn_id_send = c.conn_id_recv + 1". BEP
   * 29, type: "all subsequent packets sent on this connection (except for re-sends of the ST_SYN)
   * are sent with the connection ID + 1."
   */
  static ConnectionIds ofInitiator(InetSocketAddress remote, int receiveId, int synSeqNr) {
    return new ConnectionIds(
        remote, true, receiveId, SeqNr.plus(receiveId, 1), synSeqNr, SeqNr.plus(synSeqNr, 1));
  }

  /**
   * BEP 29, connection setup: "c.receive_conn_id = pkt.conn_id+1; c.send_conn_id = pkt.conn_id".
   * BEP 29, connection_id: "The endpoint initiating the connection decides which ID to use".
   */
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
