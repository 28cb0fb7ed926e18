package ebb.ledbat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class WarningLimiterTest {
  @Test
  void oneWarningInTenSecondsIsSaidAndTheOthersAreCounted() {
    List<String> said = new ArrayList<>();
    Logger log =
        (Logger)
            Proxy.newProxyInstance(
                Logger.class.getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> {
                  said.add(method.getName() + Arrays.deepToString(arguments));
                  return null;
                });
    WarningLimiter limiter = new WarningLimiter(log);
    limiter.warn(5, "{}: {}", "a", 1);
    limiter.warn(6, "{}: {}", "b", 2);
    limiter.warn(10_000_004, "{}: {}", "c", 3);
    limiter.warn(10_000_005, "{}: {}", "d", 4);
    assertThat(said)
        .containsExactly("warn[{}: {}, a, 1]", "warn[{}: {} (2 more like it not shown), d, 4]");
  }
}
