import { describe, expect, it } from 'vitest';
import { readManifests } from '../../../source/resolution/index.js';
import { moduleNames } from '../../../source/resolution/qualified-name.js';

const read = (path: string, text: string) => readManifests([{ path, text }])[0];

describe('a go.mod', () => {
  it('says its path and what folders of the project stand for', () => {
    const text =
      '// Deprecated: no\nmodule "example.com/x" // why\n\nrequire (\n\ta.b/c v1.0.0 // indirect\n)\nreplace a.b/c => ./c\nreplace (\n\td.e/f v1 => ../f\n\tg.h/i => other.org/i v2\n)\n';
    expect(read('m/go.mod', text)).toMatchObject({
      name: 'example.com/x',
      directory: 'm',
      go: {
        replaces: [
          { path: 'a.b/c', folder: './c' },
          { path: 'd.e/f', folder: '../f' },
        ],
      },
    });
  });

  it('that is damaged says as much as can be read', () => {
    expect(read('go.mod', '\u0000<<<<<<< HEAD\nmodule a\nmodule b\n=======')).toMatchObject({ name: 'a' });
    expect(read('go.mod', 'module (\n')).toMatchObject({ name: null });
    expect(read('go.mod', '')).toMatchObject({ name: null, go: { replaces: [] } });
  });
});

describe('a build file of the JVM', () => {
  it('of Maven says its name and the groups that it depends on', () => {
    const text = `<?xml version="1.0"?><project><!-- <artifactId>no</artifactId> -->
<parent><groupId>p.q</groupId><artifactId>parent</artifactId></parent>
<artifactId>shop</artifactId>
<dependencies><dependency><groupId>org.junit</groupId><artifactId>junit</artifactId></dependency></dependencies>
<build><sourceDirectory>src/java</sourceDirectory><plugins><plugin><groupId>no.no</groupId></plugin></plugins></build></project>`;
    expect(read('pom.xml', text)).toMatchObject({
      name: 'shop',
      jvm: { groups: ['org.junit'] },
    });
  });

  it('of Gradle says what stands in it in plain words', () => {
    const text = `rootProject.name = 'shop'
dependencies { implementation("com.google.guava:guava:33.0"); testImplementation 'org.junit.jupiter:junit-jupiter' }
sourceSets { test { java { srcDirs = ['src/it'] } } }`;
    expect(read('build.gradle.kts', text)).toMatchObject({
      name: 'shop',
      jvm: { groups: ['com.google.guava', 'org.junit.jupiter'] },
    });
  });

  it('of Maven may leave elements open: what is around them closes them', () => {
    const text =
      '<project><a><b></project><project><dependency><x></dependency><artifactId>shop</artifactId></project>';
    expect(read('pom.xml', text)).toMatchObject({ name: 'shop' });
  });

  it('that cannot be read says nothing', () => {
    expect(read('pom.xml', '<project><dependency><groupId>')).toMatchObject({
      name: null,
      jvm: { groups: [] },
    });
    expect(read('build.gradle', '{{{ "')).toMatchObject({ name: null, jvm: { groups: [] } });
  });
});

describe('the name of the module of a unit', () => {
  it('is its import path without a major version, or the package that it says', () => {
    const manifests = readManifests([{ path: 'go.mod', text: 'module example.com/chi/v5\n' }]);
    const offers: Record<string, string> = {
      'a.go': 'digest p:folder:go:chi n:New',
      'middleware/b.go': 'digest p:folder:go:middleware',
      'middleware/b_test.go': 'digest p:folder:go:middleware_test',
      'src/p/A.java': 'digest p:written:jvm:p n:A',
      'src/p/B.java': 'digest p:written:jvm:p n:B',
    };
    const names = moduleNames(Object.keys(offers), manifests, (path) => offers[path] ?? '');
    expect(Object.fromEntries(names)).toEqual({
      'a.go': 'example.com/chi',
      'middleware/b.go': 'example.com/chi/middleware',
      'middleware/b_test.go': 'example.com/chi/middleware_test',
      'src/p/A.java': 'p',
      'src/p/B.java': 'p',
    });
  });
});
