package ebb.vm.port;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A disk that is made with its VM and goes with it. How many a machine may have, and of which
 * sizes, the service knows; it changes too often to be written down here.
 *
 * @param type such as {@code pd-balanced}; {@link #LOCAL_SSD} for one inside the machine
 * @param sizeGb 0 for the image's or the service's own choice
 * @param image what is on it, as {@link #image(String)} makes it; null for a blank disk
 * @param device by which the VM finds it; null for a boot disk's, and for the service's own choice
 */
public record DiskSpec(String type, int sizeGb, @Nullable String image, @Nullable String device) {
  public static final String LOCAL_SSD = "local-ssd";

  private static final Pattern FAMILY = Pattern.compile("([a-z][-a-z0-9.:]*)/([a-z][-a-z0-9]*)");
  private static final Pattern PATH =
      Pattern.compile("projects/[^/\\s]+/global/images/(family/)?[^/\\s]+");

  public DiskSpec {
    Names.checked("disk type", type);
    if (device != null) {
      Names.checked("device", device);
    }
    if (sizeGb < 0) {
      throw new IllegalArgumentException("a disk's size cannot be negative: " + sizeGb);
    }
    if (image != null && type.equals(LOCAL_SSD)) {
      throw new IllegalArgumentException("a local SSD begins blank");
    }
    if (image != null && !PATH.matcher(image).matches()) {
      throw new IllegalArgumentException("'" + image + "' is no image");
    }
  }

  public DiskSpec(String type, int sizeGb, @Nullable String image) {
    this(type, sizeGb, image, null);
  }

  public boolean isLocalSsd() {
    return type.equals(LOCAL_SSD);
  }

  /**
   * The path of an image: {@code PROJECT/FAMILY} is the newest of a family, which does not die with
   * a release; a whole path is taken as it is.
   */
  public static String image(String text) {
    var family = FAMILY.matcher(text);
    if (family.matches()) {
      return "projects/" + family.group(1) + "/global/images/family/" + family.group(2);
    }
    if (PATH.matcher(text).matches()) {
      return text;
    }
    throw new IllegalArgumentException(
        "'" + text + "' is neither PROJECT/FAMILY nor projects/PROJECT/global/images/NAME");
  }
}
