package ebb.proxy.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.socksx.v5.Socks5CommandStatus;

/** Why a request is not served, as SOCKS and HTTP say it. */
enum Refusal {
  MALFORMED(Socks5CommandStatus.FAILURE, HttpResponseStatus.BAD_REQUEST, "malformed request"),
  NOT_A_PROXY_REQUEST(
      Socks5CommandStatus.FAILURE,
      HttpResponseStatus.BAD_REQUEST,
      "this is a proxy: it takes CONNECT, and requests for whole http:// addresses"),
  LINE_TOO_LONG(
      Socks5CommandStatus.FAILURE, HttpResponseStatus.REQUEST_URI_TOO_LONG, "line too long"),
  HEADER_TOO_LARGE(
      Socks5CommandStatus.FAILURE,
      HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
      "header too large"),
  HEADER_TOO_SLOW(
      Socks5CommandStatus.FAILURE, HttpResponseStatus.REQUEST_TIMEOUT, "header too slow"),
  PASSWORD_WRONG(
      Socks5CommandStatus.FORBIDDEN,
      HttpResponseStatus.PROXY_AUTHENTICATION_REQUIRED,
      "this proxy asks for a user and a password"),
  BUSY(
      Socks5CommandStatus.FAILURE,
      HttpResponseStatus.SERVICE_UNAVAILABLE,
      "too many connections at once"),
  COMMAND_UNKNOWN(
      Socks5CommandStatus.COMMAND_UNSUPPORTED,
      HttpResponseStatus.NOT_IMPLEMENTED,
      "not a command of this proxy"),
  SCHEME_UNKNOWN(
      Socks5CommandStatus.FAILURE,
      HttpResponseStatus.NOT_IMPLEMENTED,
      "only http:// addresses are fetched; everything else goes by CONNECT"),
  ADDRESS_UNKNOWN(
      Socks5CommandStatus.ADDRESS_UNSUPPORTED,
      HttpResponseStatus.BAD_REQUEST,
      "no address of a server"),
  OWN_ADDRESS(
      Socks5CommandStatus.FORBIDDEN,
      HttpResponseStatus.FORBIDDEN,
      "that is an address of this proxy itself"),
  NAME_UNKNOWN(
      Socks5CommandStatus.HOST_UNREACHABLE, HttpResponseStatus.BAD_GATEWAY, "unknown host"),
  NETWORK_UNREACHABLE(
      Socks5CommandStatus.NETWORK_UNREACHABLE,
      HttpResponseStatus.BAD_GATEWAY,
      "network unreachable"),
  HOST_UNREACHABLE(
      Socks5CommandStatus.HOST_UNREACHABLE, HttpResponseStatus.BAD_GATEWAY, "host unreachable"),
  CONNECTION_REFUSED(
      Socks5CommandStatus.CONNECTION_REFUSED, HttpResponseStatus.BAD_GATEWAY, "connection refused"),
  NO_ANSWER(
      Socks5CommandStatus.TTL_EXPIRED, HttpResponseStatus.GATEWAY_TIMEOUT, "the host is silent"),
  NO_RESPONSE(
      Socks5CommandStatus.FAILURE,
      HttpResponseStatus.BAD_GATEWAY,
      "the server ended without a whole response"),
  NO_DESCRIPTORS(
      Socks5CommandStatus.FAILURE,
      HttpResponseStatus.SERVICE_UNAVAILABLE,
      "this proxy has too many files open"),
  FAILED(Socks5CommandStatus.FAILURE, HttpResponseStatus.BAD_GATEWAY, "cannot connect");

  @SuppressWarnings("ImmutableEnumChecker") // Netty's constants do not change
  private final Socks5CommandStatus socks;

  @SuppressWarnings("ImmutableEnumChecker") // Netty's constants do not change
  private final HttpResponseStatus http;

  private final String words;

  Refusal(Socks5CommandStatus socks, HttpResponseStatus http, String words) {
    this.socks = socks;
    this.http = http;
    this.words = words;
  }

  Socks5CommandStatus socks() {
    return socks;
  }

  HttpResponseStatus http() {
    return http;
  }

  String words() {
    return words;
  }
}
