package agentdebugger;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Java runs this file as a source. It compiles the runner against the class path of the project's tests, because the
 * versions of JUnit differ, and starts it: in this process for a debugger, or else in a process of its own, whose
 * values {@link Watch} reads.
 *
 * <p>Arguments: the folder of the run, and {@code here} or {@code apart}. In the folder, {@code run.txt} has a line for
 * each of these, with percent signs for special characters: the folder of this file, the name of the report, the time
 * limit in seconds, {@code JUnit4} or {@code JUnit5}, the folders of sources, the names of classes, the name of the
 * test, and the options of Java.
 */
public class Start {
  private static final String LAUNCHER = "junit-platform-launcher";
  private static final String ENGINE = "org.junit.platform.engine.TestEngine";

  private static Path report;

  public static void main(String[] args) throws IOException {
    Path folder = Paths.get(args[0]);
    List<String> lines = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("run.txt")))
      lines.add(URLDecoder.decode(line, StandardCharsets.UTF_8));
    report = folder.resolve(lines.get(1));
    int code = 1;
    try {
      code = run(lines, args[1].equals("apart"));
    } catch (Throwable error) {
      Throwable cause = error instanceof InvocationTargetException ? error.getCause() : error;
      append("{\"toolFailure\":" + quoted(String.valueOf(cause)) + "}");
    }
    // A test may leave threads behind.
    System.exit(code);
  }

  private static int run(List<String> lines, boolean isApart) throws Exception {
    String junit = lines.get(3);
    boolean isPlatform = junit.equals("JUnit5");
    if (fileOf(isPlatform ? ENGINE : "org.junit.runner.JUnitCore") == null) {
      String message = junit + " is not in the class path of the tests";
      append("{\"loadError\":{\"message\":" + quoted(message) + "}}");
      return 1;
    }
    Path launcher = isPlatform ? launcherJar() : null;
    String kind = isPlatform && launcher == null ? "JUnit5Engines" : junit;
    Path classes = report.resolveSibling("classes");
    List<Path> added = new ArrayList<>(List.of(classes));
    if (launcher != null && fileOf("org.junit.platform.launcher.Launcher") == null) added.add(launcher);
    compile(Paths.get(lines.get(0)), classes, kind, isApart, added);
    URL[] urls = new URL[added.size()];
    for (int at = 0; at < urls.length; at += 1) urls[at] = added.get(at).toUri().toURL();
    ClassLoader loader = new URLClassLoader(urls, ClassLoader.getSystemClassLoader());
    List<String> args = new ArrayList<>(List.of(kind, report.toString(), isApart ? "apart" : "here"));
    args.addAll(lines.subList(4, 7));
    if (!isApart) {
      Thread.currentThread().setContextClassLoader(loader);
      invoke(loader, "Runner", args.toArray(new String[0]));
      return 0;
    }
    String options = String.join("\n", lines.subList(7, lines.size()));
    return (Integer) invoke(loader, "Watch", args.toArray(new String[0]), lines.get(2), classPathWith(added), options);
  }

  private static Object invoke(ClassLoader loader, String type, String[] args, Object... more) throws Exception {
    List<Object> all = new ArrayList<>(List.of((Object) args));
    all.addAll(Arrays.asList(more));
    for (Method method : loader.loadClass("agentdebugger." + type).getMethods())
      if (method.getName().equals("run")) return method.invoke(null, all.toArray());
    throw new NoSuchMethodException(type);
  }

  private static String classPathWith(List<Path> added) {
    String classPath = System.getProperty("java.class.path");
    for (Path path : added) classPath += File.pathSeparator + path;
    return classPath;
  }

  private static void compile(Path sources, Path classes, String kind, boolean isApart, List<Path> added)
      throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) throw new IllegalStateException("this Java has no compiler");
    List<String> names = new ArrayList<>(List.of("Runner", "Report", "Node", "Hooks", kind));
    if (kind.startsWith("JUnit5")) names.add("Platform");
    if (isApart) names.addAll(List.of("Watch", "Stacks", "Values", "Containers"));
    List<File> files = new ArrayList<>();
    for (String name : names) files.add(sources.resolve(name + ".java").toFile());
    Files.createDirectories(classes);
    List<String> options = List.of("-cp", classPathWith(added), "-d", classes.toString(), "-encoding", "UTF-8", "-g",
        "-proc:none", "-implicit:none", "-nowarn");
    DiagnosticCollector<JavaFileObject> messages = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(messages, Locale.ENGLISH, null)) {
      if (compiler.getTask(null, manager, messages, options, null, manager.getJavaFileObjectsFromFiles(files)).call())
        return;
    }
    for (Diagnostic<?> message : messages.getDiagnostics())
      if (message.getKind() == Diagnostic.Kind.ERROR)
        throw new IllegalStateException("the runner for " + kind + " does not compile: " + message);
  }

  /** Returns the jar or folder of a class, or null if it is not in the class path. */
  private static Path fileOf(String type) {
    URL url = ClassLoader.getSystemResource(type.replace('.', '/') + ".class");
    if (url == null) return null;
    String text = url.toString();
    int end = text.indexOf("!/");
    return end < 0 || !text.startsWith("jar:") ? Paths.get(".") : Paths.get(URI.create(text.substring(4, end)));
  }

  /**
   * Returns the launcher of the JUnit Platform, or null. Maven and Gradle add it only to their own runs, in the version
   * of the engine, and keep it beside the engine.
   */
  private static Path launcherJar() throws IOException {
    Path inPath = fileOf("org.junit.platform.launcher.Launcher");
    if (inPath != null) return inPath;
    Path engine = fileOf(ENGINE);
    String name = engine.getFileName().toString().replace("junit-platform-engine", LAUNCHER);
    if (!name.startsWith(LAUNCHER)) return null;
    Path beside = engine.resolveSibling(name);
    if (Files.exists(beside)) return beside;
    Path version = engine.getParent();
    // Maven: junit-platform-engine/1.14.4/jar. Gradle: junit-platform-engine/1.14.4/hash/jar.
    for (int up = 0; up < 2 && version != null && version.getParent() != null; up += 1, version = version.getParent()) {
      Path module = version.getParent();
      if (module.getFileName() == null || !module.getFileName().toString().equals("junit-platform-engine")) continue;
      Path folder = module.resolveSibling(LAUNCHER).resolve(version.getFileName());
      if (!Files.isDirectory(folder)) return null;
      try (Stream<Path> files = Files.walk(folder, 2)) {
        return files.filter(file -> file.endsWith(name)).findFirst().orElse(null);
      }
    }
    return null;
  }

  private static void append(String line) {
    try {
      Files.write(report, (line + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException ignored) {
      // The folder of the run is gone. Nobody reads the report.
    }
  }

  private static String quoted(String text) {
    StringBuilder built = new StringBuilder("\"");
    for (char character : text.toCharArray()) {
      if (character == '"' || character == '\\') built.append('\\').append(character);
      else if (character < ' ' || character > '~') built.append(String.format("\\u%04x", (int) character));
      else built.append(character);
    }
    return built.append('"').toString();
  }
}
