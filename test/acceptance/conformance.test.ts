import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { loadBalancer } from './balancer.ts';
import { runConformanceSuite } from './conformance.ts';
import { newFolder } from './program.ts';
import { startRestService } from './served.ts';

/** By scenario, the tool, prompt or resource of the suite's own server that the documentation says it asks for. */
async function documentedFailures(): Promise<Map<string, string>> {
  const text = await readFile(new URL('../../docs/mcp-over-http.md', import.meta.url), 'utf8');
  const [, table = ''] = /<!-- conformance -->([\s\S]*?)<!-- \/conformance -->/.exec(text) ?? [];
  const rows = [...table.matchAll(/^\| ([\w-]+) \| .*?`(.+)` \|$/gm)];
  return new Map(rows.map(([, scenario = '', fixture = '']) => [scenario, fixture]));
}

const SUBSCRIPTIONS = ['resources-subscribe', 'resources-unsubscribe'];

it('passes every scenario of the official suite but those that the documentation names, which ask for fixtures', {
  timeout: 120_000,
}, async () => {
  const served = await startRestService();
  // The suite has no way to send a key.
  const url = await loadBalancer([served.port], { 'x-api-key': await served.newKey() });
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
