import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { instructionsOf } from '../packages/dockerfile-instructions.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (name: string) => readFileSync(join(root, name), 'utf8');
const dockerfile = text('packages/Dockerfile');

const instructions = instructionsOf(dockerfile);
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const inLast = (wanted: string) =>
  lastStage.filter(({ name }) => name === wanted).map(({ rest }) => rest);

/** What is copied from the context. */
const copied = instructions
  .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
  .flatMap(({ rest }) => rest.split(/\s+/).slice(0, -1));

/** The paths that a script names, as `join(root, 'docs', 'icon.svg')`. */
const pathsIn = (script: string): string[] =>
  [...text(script).matchAll(/join\(root, ('[^)]*')\)/g)].map(([, names]) =>
    names!.replaceAll("'", '').split(', ').join('/'),
  );

describe('the Dockerfile', () => {
  it('passes the linter', () => expect(validate(dockerfile)).toEqual([]));

  it('uses images of pinned versions, and leaves the build tools out of the last one', () => {
    const images = instructions.filter(({ name }) => name === 'FROM').map(({ rest }) => rest);
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) expect(image).toMatch(/^node:\d+-[\w-]+slim( AS \w+)?$/);
    const { engines } = JSON.parse(text('package.json'));
    const [least] = /\d+/.exec(engines.node)!;
    for (const image of images)
      expect(Number(/\d+/.exec(image)![0])).toBeGreaterThanOrEqual(Number(least));
  });

  it('runs as an unprivileged user, who owns the volume', () => {
    expect(inLast('USER')).toEqual(['node']);
    const [folder] = inLast('VOLUME');
    expect(inLast('ENV').join(' ')).toContain(`ACEQUIA_DB=${folder}/`);
    expect(inLast('RUN').join(' ')).toContain(`chown node:node ${folder}`);
  });

  it('checks its health on the served port, and stops on SIGTERM', () => {
    const [port] = inLast('EXPOSE');
    expect(inLast('HEALTHCHECK')[0]).toContain(`http://127.0.0.1:${port}/health`);
    expect(inLast('CMD')[0]).toContain(`"--port", "${port}"`);
    expect(inLast('STOPSIGNAL')).toEqual(['SIGTERM']);
    for (const form of [...inLast('ENTRYPOINT'), ...inLast('CMD')])
      expect(JSON.parse(form)).toBeInstanceOf(Array);
  });

  it('contains no secret, and downloads only from npm', () => {
    expect(instructions.filter(({ name }) => ['ADD', 'ARG'].includes(name))).toEqual([]);
    expect(dockerfile).not.toMatch(/(KEY|TOKEN|SECRET|PASSWORD)\w*=/i);
    expect(dockerfile).not.toMatch(/\b(curl|wget|apt-get)\b/);
  });

  it('copies every folder that the program is bundled from', () => {
    const { folders } = JSON.parse(text('build/bundled.json')) as { folders: string[] };
    expect(folders).toContain('src');
    for (const folder of folders) expect(copied).toContain(folder);
  });

  it('copies every file that the build reads', () => {
    const isMade = (path: string) => /^(build|dist|node_modules)\b/.test(path);
    const read = ['scripts/build.mjs', 'scripts/page.mjs'].flatMap(pathsIn);
    expect(read).toContain('package.json');
    const missing = read.filter(
      (path) => !isMade(path) && !copied.some((each) => `${path}/`.startsWith(`${each}/`)),
    );
    expect(missing).toEqual([]);
  });

  it('copies existing files, and has no others in its context', () => {
    const sent = text('.dockerignore').trim().split('\n');
    expect(sent[0]).toBe('*');
    for (const path of copied) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
    expect(sent.slice(1).sort()).toEqual([...new Set(copied)].map((path) => `!${path}`).sort());
  });
});

describe('docs/operate.md', () => {
  const [, compose] = /^```yaml\n([\s\S]*?)^```$/m.exec(text('docs/operate.md'))!;

  it('shows a valid compose file of Acequia and PostgreSQL without a password', () => {
    const { services, volumes } = parse(compose!);
    expect(Object.keys(services)).toEqual(['acequia', 'db']);
    expect(services.db.image).toMatch(/^postgres:\d+/);
    expect(Object.keys(volumes).length).toBeGreaterThan(0);
    expect(services.acequia.environment.ACEQUIA_DB).toMatch(
      /^postgres:\/\/\w+:\$\{\w+\}@db:5432\/\w+$/,
    );
  });
});
