package io.contextstore.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.Architectures;
import io.contextstore.maintenance.Coordinator;
import io.contextstore.table.TableReader;
import jakarta.ejb.AccessTimeout;
import jakarta.ejb.Lock;
import jakarta.ejb.LockType;
import java.util.List;

/** The structure of the engine, and the one rule: no lock is held across I/O. */
@AnalyzeClasses(packages = "io.contextstore", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** Layers from the top; a layer may use those that are named behind it. */
  @ArchTest
  static final ArchRule dependenciesPointOneWay =
      Architectures.layeredArchitecture()
          .consideringOnlyDependenciesInAnyPackage("io.contextstore..")
          .layer("api")
          .definedBy("io.contextstore.api..")
          .layer("service")
          .definedBy("..service..")
          .layer("maintenance")
          .definedBy("..maintenance..")
          .layer("merge")
          .definedBy("..merge..")
          .layer("read")
          .definedBy("..read..")
          .layer("view")
          .definedBy("..view..")
          .layer("generation")
          .definedBy("..generation..")
          .layer("table")
          .definedBy("..table..")
          .layer("log")
          .definedBy("..contextstore.log..")
          .layer("filter")
          .definedBy("..filter..")
          .layer("codec")
          .definedBy("..codec..")
          .layer("schema")
          .definedBy("io.contextstore.schema..")
          .layer("config")
          .definedBy("..config..")
          .layer("metrics")
          .definedBy("..metrics..")
          .layer("files")
          .definedBy("..files..")
          .layer("guard")
          .definedBy("..guard..")
          .whereLayer("service")
          .mayNotBeAccessedByAnyLayer()
          .whereLayer("maintenance")
          .mayOnlyBeAccessedByLayers("service")
          .whereLayer("merge")
          .mayOnlyBeAccessedByLayers("service", "maintenance")
          .whereLayer("read")
          .mayOnlyBeAccessedByLayers("service")
          .whereLayer("view")
          .mayOnlyBeAccessedByLayers("service", "maintenance", "merge", "read")
          .whereLayer("generation")
          .mayOnlyBeAccessedByLayers("service", "maintenance", "merge", "read", "view")
          .whereLayer("table")
          .mayOnlyBeAccessedByLayers("service", "maintenance", "merge", "read", "view")
          .whereLayer("log")
          .mayOnlyBeAccessedByLayers("service", "maintenance", "view")
          .whereLayer("filter")
          .mayOnlyBeAccessedByLayers("service", "read", "table")
          .whereLayer("codec")
          .mayOnlyBeAccessedByLayers("service", "view")
          .whereLayer("config")
          .mayOnlyBeAccessedByLayers("service")
          .whereLayer("metrics")
          .mayOnlyBeAccessedByLayers("service", "maintenance");

  @ArchTest
  static final ArchRule onlyTheTablePackageKnowsLance =
      noClasses()
          .that(not(resideInAPackage("..table..")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.lance..");

  @ArchTest
  static final ArchRule onlyTheFilterPackageKnowsTheParser =
      noClasses()
          .that(not(resideInAPackage("..filter..")))
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("net.sf.jsqlparser..");

  @ArchTest
  static final ArchRule theApiKnowsNobody =
      classes()
          .that()
          .resideInAPackage("io.contextstore.api..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                  "io.contextstore.api..",
                  "java..",
                  "jakarta..",
                  "org.eclipse.microprofile..",
                  "org.jspecify.."));

  /** What holds the coordinator's lock must not even name a type that can touch storage. */
  @ArchTest
  static final ArchRule theCoordinatorReachesNoStorage =
      noClasses()
          .that()
          .belongToAnyOf(Coordinator.class)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.lance..",
              "io.contextstore.table..",
              "io.contextstore.log..",
              "io.contextstore.files..",
              "java.io..",
              "java.nio..",
              "java.net..",
              "jakarta.persistence..");

  @ArchTest
  static final ArchRule everyCoordinatorMethodSaysItsLock =
      methods()
          .that()
          .areDeclaredIn(Coordinator.class)
          .and()
          .arePublic()
          .should(
              new ArchCondition<JavaMethod>("name its lock; prepare waits at most a while") {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                  boolean commits = method.getName().startsWith("commit");
                  boolean prepares = method.getName().startsWith("prepare");
                  LockType expected = commits ? LockType.WRITE : LockType.READ;
                  boolean right =
                      method.isAnnotatedWith(Lock.class)
                          && method.getAnnotationOfType(Lock.class).value() == expected
                          && method.isAnnotatedWith(AccessTimeout.class) == prepares;
                  if (!right) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName()));
                  }
                }
              });

  /** Requests do not pass the coordinator: reads and appends cannot name it. */
  @ArchTest
  static final ArchRule readsAndAppendsDoNotPassTheCoordinator =
      noClasses()
          .that()
          .resideInAnyPackage("..read..", "..view..", "..generation..", "..contextstore.log..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..maintenance..");

  /** A monitor is held across whatever the method calls; the engine has no use for any. */
  @ArchTest
  static final ArchRule nothingIsSynchronized =
      methods()
          .that()
          .areDeclaredInClassesThat()
          .resideInAnyPackage("io.contextstore..")
          .should()
          .notHaveModifier(JavaModifier.SYNCHRONIZED);

  /** The log writer's lock guards its queue in memory; nothing else may have one. */
  @ArchTest
  static final ArchRule locksAreCounted =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("io.contextstore.log.LogWriter")
          .and()
          .doNotHaveFullyQualifiedName("io.contextstore.maintenance.Coordinator")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("java.util.concurrent.locks..");

  private static final List<String> SCANS_ONLY =
      List.of(
          "version", "rowCount", "fragmentCount", "indexState", "uri", "scan", "count", "close");

  /** A handle is a mutex: a view's reader must not grow a method that holds it for long. */
  @ArchTest
  static final ArchRule aReaderOnlyScans =
      methods()
          .that()
          .areDeclaredIn(TableReader.class)
          .and()
          .arePublic()
          .should(
              new ArchCondition<JavaMethod>("be one of " + SCANS_ONLY) {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                  if (!SCANS_ONLY.contains(method.getName())) {
                    events.add(SimpleConditionEvent.violated(method, method.getFullName()));
                  }
                }
              });
}
