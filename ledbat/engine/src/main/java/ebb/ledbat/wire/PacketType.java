package ebb.ledbat.wire;

/** The five packet types of BEP 29. */
public enum PacketType {
  ST_DATA(0),
  ST_FIN(1),
  ST_STATE(2),
  ST_RESET(3),
  ST_SYN(4);

  static final int MAX_WIRE_VALUE = 4;

  private static final PacketType[] BY_WIRE_VALUE = values();

  private final int wireValue;

  PacketType(int wireValue) {
    this.wireValue = wireValue;
  }

  /** The four bits that stand for it in the header. */
  public int wireValue() {
    return wireValue;
  }

  /** The type with this value on the wire; {@code wireValue} must be in 0..4. */
  static PacketType of(int wireValue) {
    return BY_WIRE_VALUE[wireValue];
  }
}
