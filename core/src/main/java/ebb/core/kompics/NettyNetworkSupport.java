package ebb.core.kompics;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.DatagramChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import se.sics.kompics.Component;
import se.sics.kompics.ComponentCore;
import se.sics.kompics.network.netty.NettyNetwork;

/**
 * Makes Kompics' NettyNetwork behave: every NettyNetwork loads UDT, whose native library it would
 * unpack into the working directory, and which does not exist for every machine; its constructor
 * switches the JVM to IPv4; and by default it trusts what it receives. Thread-safe.
 */
public final class NettyNetworkSupport {
  private static final Logger LOG = LoggerFactory.getLogger(NettyNetworkSupport.class);

  private static final String EXTRACT_LOCATION = "com.barchart.udt.library.extract.location";
  private static final String PREFER_IPV4 = "java.net.preferIPv4Stack";

  private static final long UDT_WAKE_UP_MILLIS = 10;

  private static @Nullable String unavailable;
  private static boolean tried;

  private NettyNetworkSupport() {}

  /**
   * Loads what a NettyNetwork needs, once, and installs {@link EbbSerializers}.
   *
   * @return why there can be no NettyNetwork in this JVM, one line; null when there can be
   */
  public static synchronized @Nullable String prepare() {
    EbbSerializers.install();
    if (!tried) {
      tried = true;
      unavailable = loadUdt();
    }
    return unavailable;
  }

  /**
   * Runs what constructs a NettyNetwork, and undoes what its constructor does to the JVM.
   *
   * @throws IllegalStateException when {@link #prepare} says that there can be none
   */
  public static synchronized <T> T construct(Supplier<T> constructor) {
    String reason = prepare();
    if (reason != null) {
      throw new IllegalStateException(reason);
    }
    String before = System.getProperty(PREFER_IPV4);
    try {
      return constructor.get();
    } finally {
      if (before == null) {
        System.clearProperty(PREFER_IPV4);
      } else {
        System.setProperty(PREFER_IPV4, before);
      }
    }
  }

  /**
   * Ends the event loops that a NettyNetwork keeps for UDT. Nothing else does that reliably: UDT's
   * selector can lose the word that it shall end, and then NettyNetwork's {@code tearDown} waits
   * for it for ever, on a Kompics worker. To be called right after creating the component, which
   * must not use UDT.
   */
  public static void endUdt(Component network) {
    try {
      Field field = NettyNetwork.class.getDeclaredField("bootstrapUDTClient");
      field.setAccessible(true);
      Bootstrap bootstrap = (Bootstrap) field.get(((ComponentCore) network).getComponent());
      EventLoopGroup loops = bootstrap.config().group();
      for (EventExecutor loop : loops) {
        // So that no select lasts, whether it is woken or not. Ending the loop cancels this.
        var unused =
            loop.scheduleAtFixedRate(
                () -> {}, UDT_WAKE_UP_MILLIS, UDT_WAKE_UP_MILLIS, TimeUnit.MILLISECONDS);
      }
      var unused = loops.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("UDT's threads stay, and stopping Kompics' TCP may hang: {}", e.toString());
    }
  }

  private static @Nullable String loadUdt() {
    String library = libraryResource();
    ClassLoader loader = NettyNetworkSupport.class.getClassLoader();
    if (loader == null || loader.getResource(library) == null) {
      return "Kompics' TCP needs a native library that does not exist for this machine ("
          + library
          + ")";
    }
    String before = System.getProperty(EXTRACT_LOCATION);
    Path folder = null;
    try {
      // The JDK chooses its protocol family once; this is before NettyNetwork forbids IPv6.
      DatagramChannel.open().close();
      if (before == null) {
        folder = Files.createTempDirectory("ebb-udt");
        System.setProperty(EXTRACT_LOCATION, folder.toString());
      }
      Class.forName("com.barchart.udt.SocketUDT", true, loader);
      return null;
    } catch (ClassNotFoundException | LinkageError | IOException e) {
      LOG.debug("UDT does not load", e);
      return "Kompics' TCP cannot load its native library: " + rootOf(e);
    } finally {
      if (folder != null) {
        System.clearProperty(EXTRACT_LOCATION);
        remove(folder);
      }
    }
  }

  private static String libraryResource() {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch", "");
    String name = "barchart-udt-core-2.3.0-SNAPSHOT";
    if (os.startsWith("windows")) {
      return "lib/%s-Windows-gpp/jni/%s.dll".formatted(arch, name);
    }
    if (os.startsWith("mac")) {
      return "lib/%s-MacOSX-gpp/jni/lib%s.jnilib".formatted(arch, name);
    }
    return "lib/%s-Linux-gpp/jni/lib%s.so".formatted(arch, name);
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /**
   * A loaded library needs its file no more, except on Windows, where it goes when the JVM does.
   */
  private static void remove(Path folder) {
    try {
      if (Files.isDirectory(folder)) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
          entries.forEach(NettyNetworkSupport::remove);
        }
      }
      Files.delete(folder);
    } catch (IOException e) {
      File file = folder.toFile();
      file.deleteOnExit();
      LOG.debug("{} stays until the JVM exits", file, e);
    }
  }
}
