package io.lakestream.spark.it.cluster;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * What a child JVM runs: one server, which lives until the JVM that started it closes its end of
 * standard input. That happens also when the parent is killed, so no server outlives it. Standard
 * output carries nothing but one line with the endpoint; all else goes to standard error.
 *
 * <p>Arguments: a {@link ServerRole} and a properties file with the server's configuration. Only
 * the JDK and this package may be used here, and the server's own classes by reflection: Fluss's
 * server and client cannot be on one class path.
 */
final class ServerMain {
  /** Begins the line that announces the endpoint. */
  static final String READY = "READY ";

  /** Where ZooKeeper listens, and where it keeps its data. */
  static final String ZOOKEEPER_PORT = "port";

  static final String ZOOKEEPER_DIRECTORY = "directory";

  private static final String ZOOKEEPER =
      "org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.";
  private static final int TICK_MILLIS = 500;
  private static final int EXIT_FAILED = 1;

  private ServerMain() {}

  public static void main(String[] arguments) {
    PrintStream announcements = System.out;
    System.setOut(System.err);
    Thread parentWatch = new Thread(ServerMain::exitWithParent, "parent-watch");
    parentWatch.setDaemon(true);
    parentWatch.start();
    try {
      Map<String, String> options = read(Path.of(arguments[1]));
      String endpoint =
          switch (ServerRole.valueOf(arguments[0])) {
            case ZOOKEEPER -> startZooKeeper(options);
            case COORDINATOR ->
                startFluss("org.apache.fluss.server.coordinator.CoordinatorServer", options);
            case TABLET_SERVER ->
                startFluss("org.apache.fluss.server.tablet.TabletServer", options);
          };
      announcements.println(READY + endpoint);
      announcements.flush();
    } catch (InvocationTargetException e) {
      fail(e.getCause());
    } catch (ReflectiveOperationException | IOException | RuntimeException e) {
      fail(e);
    }
  }

  private static void fail(Throwable problem) {
    problem.printStackTrace();
    Runtime.getRuntime().halt(EXIT_FAILED);
  }

  private static void exitWithParent() {
    try {
      InputStream parent = System.in;
      while (parent.read() >= 0) {
        // The parent never writes; the end of the stream is the message.
      }
    } catch (IOException e) {
      e.printStackTrace();
    }
    Runtime.getRuntime().halt(0);
  }

  private static Map<String, String> read(Path file) throws IOException {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    }
    Map<String, String> options = new TreeMap<>();
    properties.stringPropertyNames().forEach(key -> options.put(key, properties.getProperty(key)));
    return options;
  }

  private static String startFluss(String serverClass, Map<String, String> options)
      throws ReflectiveOperationException {
    Class<?> configurationClass = Class.forName("org.apache.fluss.config.Configuration");
    Object configuration = configurationClass.getMethod("fromMap", Map.class).invoke(null, options);
    Object server =
        Class.forName(serverClass).getConstructor(configurationClass).newInstance(configuration);
    call(server, "start");
    List<?> endpoints = (List<?>) call(call(server, "getRpcServer"), "getBindEndpoints");
    Object endpoint = endpoints.get(0);
    return call(endpoint, "getHost") + ":" + call(endpoint, "getPort");
  }

  private static String startZooKeeper(Map<String, String> options)
      throws ReflectiveOperationException {
    File directory = new File(options.get(ZOOKEEPER_DIRECTORY));
    Class<?> serverClass = Class.forName(ZOOKEEPER + "ZooKeeperServer");
    Object server =
        serverClass
            .getConstructor(File.class, File.class, int.class)
            .newInstance(directory, directory, TICK_MILLIS);
    Class<?> factoryClass = Class.forName(ZOOKEEPER + "NIOServerCnxnFactory");
    Object factory = factoryClass.getConstructor().newInstance();
    InetSocketAddress address =
        new InetSocketAddress(
            EmbeddedFluss.LOOPBACK, Integer.parseInt(options.get(ZOOKEEPER_PORT)));
    int noConnectionLimit = 0;
    factoryClass
        .getMethod("configure", InetSocketAddress.class, int.class)
        .invoke(factory, address, noConnectionLimit);
    factoryClass.getMethod("startup", serverClass).invoke(factory, server);
    return EmbeddedFluss.LOOPBACK + ":" + call(factory, "getLocalPort");
  }

  private static Object call(Object target, String method) throws ReflectiveOperationException {
    return target.getClass().getMethod(method).invoke(target);
  }
}
