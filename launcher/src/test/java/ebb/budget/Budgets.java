package ebb.budget;

import ebb.files.ReceiveLimits;
import ebb.ledbat.config.LedbatConfig;
import ebb.ledbat.endpoint.LedbatEndpoint;
import ebb.ledbat.kompics.LedbatControl;
import ebb.ledbat.kompics.LedbatNetwork;
import ebb.ledbat.kompics.MessageConfig;
import ebb.ledbat.netty.NettyDrivers;
import ebb.ledbat.netty.WarningLimiter;
import ebb.ledbat.secure.DatagramSeal;
import ebb.ledbat.secure.KeyRing;
import ebb.ledbat.secure.SecureSessions;
import ebb.net.command.NetServerCommand;
import ebb.net.mechanism.ServerPlace;
import ebb.net.server.NetServer;
import ebb.net.server.ServerLimits;
import ebb.proxy.server.Limits;
import ebb.storage.clients.ClientListener;
import java.util.List;
import java.util.Locale;

/** All budgets of Ebb towards strangers, from the constants that the code uses. */
final class Budgets {
  /** For places that are kept: {@code SourceShares.givesWayTo}. */
  private static final String NEWEST_GIVES_WAY = "newest gives way";

  /** For places of whom nobody can be sure yet: {@code SourceShares.oldestOfLargest}. */
  private static final String OLDEST_GIVES_WAY = "oldest gives way";

  private static final LedbatConfig LEDBAT = LedbatConfig.defaults();
  private static final MessageConfig MESSAGES = MessageConfig.defaults();

  private Budgets() {}

  static List<Budget> all() {
    return List.of(
        // ---- an endpoint
        new Budget(
            "half-open connections of a port",
            OLDEST_GIVES_WAY,
            count(LEDBAT.maxHalfOpen()) + ", " + seconds(LEDBAT.connectTimeoutMicros()) + " each",
            "LedbatConfig.maxHalfOpen",
            "CrowdingTest.halfOpenConnectionsOfOneAddressPushOutEachOtherAndNotAnothers",
            "MemoryBoundTest.halfOpenConnectionsAre1000AtMostAndCostLessThan8KiBEach",
            "SharedPortTest.halfOpenConnectionsOfOneAddressPushOutEachOtherAndNotAnothers"),
        new Budget(
            "connections of a port",
            NEWEST_GIVES_WAY,
            count(LEDBAT.maxConnections()),
            "LedbatConfig.maxConnections",
            "CrowdingTest.anAddressWithAllConnectionsGivesItsNewestToAnother",
            "CrowdingTest.aForgedSynTakesNobodysPlace",
            "SharedPortTest.anAddressWithAllConnectionsGivesItsNewestToAnotherWhereverTheyAre"),
        new Budget(
            "datagrams that wait for another loop of a port with several",
            "as in all",
            mebibytes(NettyDrivers.MAX_HANDED_OVER_BYTES) + " for each loop",
            "NettyDrivers.MAX_HANDED_OVER_BYTES",
            "SiblingLoopsTest.aLoopThatIsBehindLosesWhatIsTooMuch"),
        new Budget(
            "buffers of a port",
            "each connection's window; out of order, as much as is left to the next",
            mebibytes(LEDBAT.maxBufferedBytes()) + "; of commands, a quarter of the heap at most",
            "LedbatConfig.maxBufferedBytes",
            "MemoryBoundTest.fullPacketsOutOfOrderTakeNoMoreThanTheWindow"),
        new Budget(
            "RESETs to strangers",
            "as in all",
            count(LedbatEndpoint.MAX_RESETS_PER_SECOND) + " a second",
            "LedbatEndpoint.MAX_RESETS_PER_SECOND",
            "ForgedPacketTest.aStrangerGetsOneResetOfItsOwnSizeAtMostAndNoConnection",
            "SharedPortTest.strangersGetAsManyResetsFromAllAsFromOne"),
        new Budget(
            "handshakes with a key",
            OLDEST_GIVES_WAY,
            count(SecureSessions.MAX_UNPROVEN)
                + ", "
                + seconds(SecureSessions.PROOF_TIMEOUT_MICROS)
                + " each",
            "SecureSessions.MAX_UNPROVEN",
            "SecureStreamTest.peersWithoutTheKeyCannotCrowdOthersOut"),
        new Budget(
            "keys that a stranger's message or datagram is held against",
            "as in all",
            count(KeyRing.MAX_KEYS),
            "KeyRing.MAX_KEYS",
            "DatagramSealTest.noMoreThanFourKeysAreValid"),
        new Budget(
            "senders of sealed datagrams that are remembered (who has no key is none)",
            "the one heard of longest ago gives way",
            count(DatagramSeal.MAX_SENDERS),
            "DatagramSeal.MAX_SENDERS",
            "DatagramSealTest.theLastSendersAreRemembered"),
        new Budget(
            "CPU for forged SYNs",
            "as in all",
            "one thread for each endpoint; 20,000 a second leave a transfer 80% of its speed",
            "LedbatEndpoint",
            "SynFloodTest.aTransferKeepsFourFifthsOfItsSpeedInAFlood",
            "SynFloodTest.aSynCostsLessThan25MicrosecondsOfTheEndpointsThread"),
        new Budget(
            "warnings that a peer causes",
            "as in all",
            "one in " + seconds(WarningLimiter.INTERVAL_MICROS) + " for each kind",
            "WarningLimiter.INTERVAL_MICROS",
            "WarningLimiterTest.oneWarningInTenSecondsIsSaidAndTheOthersAreCounted"),
        // ---- the proxy
        new Budget(
            "connections through `ebb proxy`",
            NEWEST_GIVES_WAY,
            count(Limits.CONNECTIONS)
                + ", fewer with few file descriptors; "
                + count(Limits.TURNED_AWAY_AT_ONCE)
                + " more are told that there is no place",
            "Limits.CONNECTIONS",
            "FaultsTest.oneSourceGivesItsNewestToAnother",
            "FaultsTest.tooManyConnectionsAreToldSoAndLaterThereIsRoomAgain"),
        new Budget(
            "header of a request to `ebb proxy`",
            "each connection",
            count(Limits.LINE_BYTES)
                + " bytes of line, "
                + count(Limits.HEADER_BYTES)
                + " of header, in "
                + seconds(Limits.HEADER_MICROS)
                + "; "
                + count(Limits.PIPELINED_REQUESTS)
                + " requests before an answer; names of "
                + count(Limits.NAME_BYTES)
                + " bytes",
            "Limits.HEADER_BYTES",
            "HttpTest.refusesNamesAndHeadersThatAreTooLong",
            "HttpTest.refusesMoreRequestsAtOnceThanItKeeps",
            "FaultsTest.aHeaderThatDoesNotEndIsTimedOut"),
        new Budget(
            "time of a connection through `ebb proxy`",
            "each connection",
            seconds(Limits.CONNECT_MICROS)
                + " to connect, "
                + seconds(Limits.IDLE_MICROS)
                + " without a byte, "
                + seconds(Limits.HALF_CLOSED_MICROS)
                + " once one side has ended",
            "Limits.IDLE_MICROS",
            "FaultsTest.aServerThatNeverAnswersIsGivenUp",
            "FaultsTest.aPairOfWhichOneSideHasEndedIsNotKeptForLong",
            "FaultsTest.aConnectionWithoutABytePassingIsEnded"),
        new Budget(
            "names that `ebb proxy` looks up",
            "as in all",
            count(Limits.LOOKUPS) + " at once, " + count(Limits.LOOKUPS_WAITING) + " waiting",
            "Limits.LOOKUPS",
            "FaultsTest.aNameServerThatIsSilentHoldsNobodyElse"),
        new Budget(
            "hosts that `ebb proxy` knows by name",
            "as in all",
            count(Limits.HOSTS),
            "Limits.HOSTS",
            "FaultsTest.hostsAreKnownUpToABound"),
        // ---- Kompics messages
        new Budget(
            "connections for Kompics messages",
            NEWEST_GIVES_WAY,
            count(MESSAGES.maxSessions())
                + ", "
                + seconds(MESSAGES.helloTimeoutMicros())
                + " to say hello",
            "MessageConfig.maxSessions",
            "HostileMessagePeerTest.noMoreThanTheAllowedNumberOfStrangersIsServed",
            "HostileMessagePeerTest.oneStrangerWithAllSessionsKeepsNobodyOut",
            "HostileMessagePeerTest.theOldestWhoSaidNothingMakesRoomForTheNext",
            "HostileMessagePeerTest.silenceIsDroppedInTime"),
        new Budget(
            "Kompics messages that are not whole yet",
            mebibytes(MESSAGES.maxMessageBytes()) + " each",
            mebibytes(MESSAGES.maxReceivedBytes()),
            "MessageConfig.maxReceivedBytes",
            "HostileMessagePeerTest.aLargeClaimHoldsNoMoreThanTheBytesThatCame",
            "HostileMessagePeerTest.aClaimIsBelievedUpToWhatThePeerHasSentBefore",
            "HostileMessagePeerTest.claimsThatAreBelievedTakeNoMoreThanHalfOfTheBound"),
        new Budget(
            "Kompics messages that wait to be sent",
            mebibytes(MESSAGES.maxQueuedBytesPerPeer())
                + " for a peer; for a source, half of what the others leave",
            mebibytes(MESSAGES.maxQueuedBytes()) + "; of `ebb peer`, a quarter of the heap at most",
            "MessageConfig.maxQueuedBytes",
            "QueuedBytesTest.eachAddressGetsHalfOfWhatTheOthersLeave",
            "QueuedBytesTest.addressesOfOneIpv6NetworkCountAsOne",
            "MessageHubTest.peersOfOneAddressThatTakeNothingLeaveRoomForOthers",
            "MessageConfigTest.whatPeersCanFillFitsASmallHeap",
            "HostileMessagePeerTest.aStrangerThatStopsReadingIsDroppedAndItsMessagesFail"),
        new Budget(
            "whole Kompics messages that are not decoded, each with 256 bytes more",
            "4 MiB of a connection",
            mebibytes(MESSAGES.maxReceivedBytes() / 2),
            "MessageConfig.maxReceivedBytes",
            "MessageHubTest.smallMessagesThatAreNotDecodedCountWithWhatTheyCost"),
        new Budget(
            "Kompics messages that wait for an application (`Init.waitFor`, as in `ebb peer`)",
            "as in all",
            count(LedbatNetwork.MAX_WAITING_EVENTS) + " and a batch",
            "LedbatNetwork.MAX_WAITING_EVENTS",
            "LedbatNetworkTest.anApplicationThatIsBehindIsNotSentMore"),
        new Budget(
            "connections that a chosen helper has a node open, and introductions that a helper makes",
            count(LedbatControl.MAX_INTRODUCTIONS_PER_SECOND) + " a second of a connection",
            "that of all connections",
            "LedbatControl.MAX_INTRODUCTIONS_PER_SECOND",
            "NatTest.aHelperThatLiesAndOneThatWasNotChosenMakeNobodyConnectMuch"),
        // ---- ebb net server
        new Budget(
            "sessions of `ebb net server`",
            NEWEST_GIVES_WAY,
            count(ServerLimits.DEFAULT_SESSIONS) + " (`--max-clients`)",
            "ServerLimits.DEFAULT_SESSIONS",
            "ServerAbuseTest.anAddressWithAllSessionsGivesItsNewestToAnother"),
        new Budget(
            "a session that measures nothing",
            ServerLimits.IDLE_SECONDS
                + " s, "
                + ServerLimits.IDLE_WHILE_OTHERS_WAIT_SECONDS
                + " s while another client waits",
            "the same",
            "ServerLimits.IDLE_SECONDS",
            "ServerAbuseTest.aClientThatOnlyPingsIsEndedAfterAMinute",
            "ServerAbuseTest.aClientThatHasItsLastCountsAndStaysIsEnded",
            "ServerAbuseTest.whoMeasuresNothingForTenSecondsMakesWayForWhoWaits"),
        new Budget(
            "a test of `ebb net server`",
            ServerLimits.DEFAULT_MAX_MICROS / 3_600_000_000L + " h (`--max-time`)",
            "the same",
            "ServerLimits.DEFAULT_MAX_MICROS",
            "ServerAbuseTest.withoutAnOptionATestOfTenDaysIsRefused"),
        new Budget(
            "bytes of `ebb net server` to an address that opened no control connection",
            "no flow at all",
            "the same",
            "ServerPlace.session",
            "ServerAbuseTest.aFlowFromAnotherAddressThanTheControlConnectionsGetsNothing"),
        new Budget(
            "TCP connections, and so descriptors, of `ebb net server`",
            NEWEST_GIVES_WAY,
            count(ServerPlace.MAX_CONNECTIONS)
                + ", and "
                + NetServer.RESERVED_DESCRIPTORS
                + " fewer than `ulimit -n` leaves; "
                + ServerLimits.HELLO_SECONDS
                + " s to say what each is for",
            "ServerPlace.MAX_CONNECTIONS",
            "ServerAbuseTest.idleConnectionsOfOneAddressKeepNobodyOut",
            "DescriptorsTest.whatIsLeftOfTheLimitIsTakenAndAReserveIsNot"),
        new Budget(
            "lines of `ebb net server` about clients",
            "as in all",
            count(NetServerCommand.LINES_AT_ONCE)
                + ", then "
                + 1_000_000 / NetServerCommand.LINE_INTERVAL_MICROS
                + " a second; about refusals "
                + NetServerCommand.REFUSALS_AT_ONCE
                + ", then one in "
                + seconds(NetServerCommand.REFUSAL_INTERVAL_MICROS),
            "NetServerCommand.LINES_AT_ONCE",
            "LineBudgetTest.afterTheFirstOnesThereIsOneForEachInterval"),
        // ---- ebb ledbat receive
        new Budget(
            "sessions of `ebb ledbat receive`",
            count(ReceiveLimits.MAX_SESSIONS_PER_SOURCE),
            count(ReceiveLimits.MAX_SESSIONS),
            "ReceiveLimits.MAX_SESSIONS",
            "SessionDoorTest.oneAddressGetsItsShareAndOthersTheirs",
            "SessionDoorTest.addressesOfOneIpv6NetworkCountAsOne"),
        new Budget(
            "a session of `ebb ledbat receive` that does not get on",
            ReceiveLimits.IDLE_SECONDS
                + " s, "
                + ReceiveLimits.IDLE_WANTED_SECONDS
                + " s while somebody waits; "
                + ReceiveLimits.HELLO_SECONDS
                + " s for its hello, "
                + ReceiveLimits.FIRST_OFFER_SECONDS
                + " s for its first offer",
            "the same",
            "ReceiveLimits.IDLE_SECONDS",
            "ReceiveSessionTest.aSenderThatOnlyPingsHasToLeave",
            "ReceiveSessionTest.aSenderWithoutAnOfferHasToLeaveSooner",
            "SessionProgressTest.aHelloHasItsTimeHoweverItTrickles"),
        new Budget(
            "offers of a session that are open",
            count(ReceiveLimits.MAX_OPEN_OFFERS) + " a session",
            "that of all sessions",
            "ReceiveLimits.MAX_OPEN_OFFERS",
            "ReceiveSessionTest.tooManyOffersEndTheSession"),
        new Budget(
            "memory for open offers",
            "of a session, half of what the others leave",
            "1/" + ReceiveLimits.OFFERS_SHARE_OF_HEAP + " of the heap",
            "ReceiveLimits.OFFERS_SHARE_OF_HEAP",
            "OfferMemoryTest.eachGetsHalfOfWhatTheOthersLeave"),
        new Budget(
            "open files, and so descriptors, of `ebb ledbat receive`",
            "of a session, one that is written, one that is hashed, and those that are finished",
            count(ReceiveLimits.MAX_SESSIONS) + ", as many as hash, and those that are finished",
            "ReceiveLimits.MAX_SESSIONS",
            "ReceiveSessionTest.aFileThatBeginsWithinAnotherEndsTheSessionSoThatOneIsOpenAtATime",
            "HashPoolTest.filesOfOneSessionAreOpenOneAtATimeAndHashedInOrder"),
        new Budget(
            "files that are finished (flushed and named), each a thread and a descriptor",
            count(ReceiveLimits.MAX_FINISHING_PER_SESSION) + " a session",
            count(ReceiveLimits.MAX_FINISHING),
            "ReceiveLimits.MAX_FINISHING",
            "FinisherTest.aSessionFinishesAFewFilesAtOnceAndAllSessionsNotManyMore"),
        new Budget(
            "lines of `ebb ledbat receive` about senders",
            "as in all",
            count(ReceiveLimits.LINES_AT_ONCE)
                + ", then "
                + ReceiveLimits.LINES_PER_SECOND
                + " a second; one more for each session that said hello",
            "ReceiveLimits.LINES_AT_ONCE",
            "ReceiveViewTest.manyThatAreSentAwayMakeABoundedNumberOfLines"),
        new Budget(
            "threads that hash offered files",
            "by turns of all sessions",
            "2 to 4, by the processors",
            "ReceiveLimits.HASHING_THREADS",
            "HashPoolTest.neverMoreThreadsThanAllowedHoweverManySessionsAsk"),
        new Budget(
            "disk of `ebb ledbat receive`",
            "a file: `--max-size`",
            "what is free, and `--max-total`; each byte is promised once",
            "DiskBudget",
            "DiskBudgetTest.whatIsPromisedToOneIsNotPromisedToAnother",
            "DiskBudgetTest.inAllNoMoreIsTakenThanWasSaid",
            "PartExpiryTest.whatNobodyHasGoneOnWithIsRemovedWithItsNote"),
        // ---- ebb storage client --listen
        new Budget(
            "connections of `ebb storage client --listen` that have not proven the key",
            "as in all",
            count(ClientListener.MAX_UNPROVEN)
                + ", "
                + ClientListener.PROOF.toSeconds()
                + " s and a line of 100 characters each; one that has the key, and no other",
            "ClientListener.MAX_UNPROVEN",
            "SealedTalkTest.whoSaysNothingHasAPlaceForSecondsAndThereAreFew",
            "SealedTalkTest.strangersAreSentAwayAndKeepNobodyOut"));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }

  private static String seconds(long micros) {
    return micros / 1_000_000 + " s";
  }
}
