package com.barchart.udt;

import java.net.SocketException;

/** The type of an exception that NettyNetwork catches and nobody throws. */
public class ExceptionUDT extends SocketException {
  private static final long serialVersionUID = 1L;

  private ExceptionUDT() {}
}
