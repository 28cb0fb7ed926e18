package ebb.ledbat.netty;

import ebb.ledbat.trace.Counters;
import ebb.ledbat.trace.Metric;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.ImmutableDescriptor;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

/**
 * Counters as an MBean of the platform's server, one attribute for each; its descriptor has the
 * unit ({@code units}) and the kind ({@code metricType}: counter or gauge). It owns the
 * registration and counts nothing.
 */
public final class JmxCounters implements DynamicMBean {
  private static final String DOMAIN = "ebb.ledbat";

  private final Counters counters;
  private final List<Metric> metrics;

  private JmxCounters(Counters counters) {
    this.counters = counters;
    metrics = counters.metrics();
  }

  /** Undoes a registration. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Publishes {@code counters} as {@code ebb.ledbat:type=Counters,name=NAME}.
   *
   * @param name any text that no other published counters have
   * @throws IllegalArgumentException when there are counters of that name
   */
  public static Registration register(String name, Counters counters) {
    try {
      ObjectName object = new ObjectName(DOMAIN + ":type=Counters,name=" + ObjectName.quote(name));
      ManagementFactory.getPlatformMBeanServer().registerMBean(new JmxCounters(counters), object);
      return () -> unregister(object);
    } catch (JMException refused) {
      throw new IllegalArgumentException("there are counters named " + name, refused);
    }
  }

  private static void unregister(ObjectName object) {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(object);
    } catch (InstanceNotFoundException gone) {
      // Closed before.
    } catch (JMException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Override
  public Object getAttribute(String attribute) throws AttributeNotFoundException {
    for (int i = 0; i < metrics.size(); i++) {
      if (metrics.get(i).name().equals(attribute)) {
        return counters.snapshot()[i];
      }
    }
    throw new AttributeNotFoundException(attribute);
  }

  /** All from one snapshot. */
  @Override
  public AttributeList getAttributes(String[] attributes) {
    long[] now = counters.snapshot();
    List<String> wanted = List.of(attributes);
    AttributeList list = new AttributeList();
    for (int i = 0; i < now.length; i++) {
      if (wanted.contains(metrics.get(i).name())) {
        list.add(new Attribute(metrics.get(i).name(), now[i]));
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException("counters are for reading");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String action, Object[] arguments, String[] signature) {
    throw new UnsupportedOperationException("counters are for reading");
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] attributes =
        metrics.stream().map(JmxCounters::info).toArray(MBeanAttributeInfo[]::new);
    return new MBeanInfo(
        JmxCounters.class.getName(), "Counters of Ebb", attributes, null, null, null);
  }

  private static MBeanAttributeInfo info(Metric metric) {
    return new MBeanAttributeInfo(
        metric.name(),
        "long",
        metric.unit() + ": " + metric.help(),
        true,
        false,
        false,
        new ImmutableDescriptor(
            "units=" + metric.unit(),
            "metricType=" + metric.kind().name().toLowerCase(Locale.ROOT)));
  }
}
