package io.contextstore.config;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** How much memory this process may use: the machine's, or its container's when that is less. */
final class MachineMemory {
  private MachineMemory() {}

  /** In bytes. */
  static long total() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (system instanceof com.sun.management.OperatingSystemMXBean hotspot) {
      return hotspot.getTotalMemorySize();
    }
    return Runtime.getRuntime().maxMemory();
  }
}
