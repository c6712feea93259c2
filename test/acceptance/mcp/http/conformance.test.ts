import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../../temporary-places.ts';
import type { Json } from '../../program.ts';
import { startRestService } from '../../rest-service.ts';
import { loadBalancer } from './load-balancer.ts';

interface ConformanceScenario {
  readonly name: string;
  readonly failures: readonly string[];
}

const suiteFolder = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);

async function runConformanceSuite(url: URL, folder: string): Promise<ConformanceScenario[]> {
  const options = ['--url', url.href, '--suite', 'all', '--output-dir', folder];
  // It exits with 1 if a scenario fails; the failures are read from the files.
  await new Promise<void>((resolve) => {
    execFile(process.execPath, [join(suiteFolder, 'dist', 'index.js'), 'server', ...options], () =>
      resolve(),
    );
  });
  const results = await readdir(folder);
  return Promise.all(
    results.map(async (result) => {
      const name = /^server-(.+?)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(result)![1]!;
      const checks: Json[] = JSON.parse(
        await readFile(join(folder, result, 'checks.json'), 'utf8'),
      );
      const failed = checks.filter(({ status }) => status === 'FAILURE');
      return { name, failures: failed.map(({ errorMessage }) => String(errorMessage)) };
    }),
  );
}

async function documentedFailures(): Promise<Map<string, string>> {
  const text = await readFile(new URL('../../../../docs/clients.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- conformance -->([\s\S]*?)<!-- \/conformance -->/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| ([\w-]+) \| .*?`(.+)` \|$/gm)];
  return new Map(rows.map(([, scenario = '', fixture = '']) => [scenario, fixture]));
}

const SUBSCRIPTIONS = ['resources-subscribe', 'resources-unsubscribe'];

it('passes every scenario of the official suite except the documented ones, which need fixtures', {
  timeout: 120_000,
}, async () => {
  const service = await startRestService();
  // The suite cannot send a key.
  const url = await loadBalancer([service.port], { 'x-api-key': await service.newKey() });
  const scenarios = await runConformanceSuite(url, await newFolder());
  expect(scenarios.length).toBeGreaterThan(30);
  const failed = scenarios.filter(({ failures }) => failures.length > 0);
  const fixtures = await documentedFailures();
  expect(failed.map(({ name }) => name).sort()).toEqual([...fixtures.keys()].sort());
  for (const { name, failures } of failed) {
    const fixture = fixtures.get(name)!;
    expect(fixture, name).toMatch(/^(test_|test:|json_schema_2020_12_tool$)/);
    expect(failures, name).toHaveLength(1);
    const isNotAnnounced = SUBSCRIPTIONS.includes(name);
    expect(failures[0], name).toContain(isNotAnnounced ? 'Method not found' : fixture);
  }
});
