package ebb.ledbat.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.security.Security;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has other modules' tests run with the native ciphers; the pom turns it on for these only. */
public final class WithNativeCrypto implements BeforeAllCallback {
  /** Made by JUnit. */
  public WithNativeCrypto() {}

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    assumeTrue(NativeCrypto.load(), "no library for this system");
    if (Security.getProvider("EbbNative") == null) {
      Security.insertProviderAt(new NativeCrypto(), 1);
    }
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(new byte[32], "AES"),
        new GCMParameterSpec(128, new byte[12]));
    assertThat(cipher.getProvider()).isInstanceOf(NativeCrypto.class);
  }
}
