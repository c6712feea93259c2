import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { type Skill, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { afterFile } from '../../cleanup.ts';
import { isDeepRun, itInDeepRuns } from '../../property-runs.ts';
import { folderForFile } from '../../temporary-places.ts';
import { BINARY, cleanEnv, REPOSITORY } from '../program.ts';
import { sharedRestService } from '../rest-service.ts';
import { mcpUrl } from './http/mcp-http-client.ts';

const PROMPTS = join(REPOSITORY, 'prompts');
const uriOf = (skill: string): string => `skill://acequia/${skill}/SKILL.md`;
const sourceOf = (skill: string): string => readFileSync(join(PROMPTS, skill, 'SKILL.md'), 'utf8');

type Era = 'auto' | 'legacy';

interface Connection {
  readonly client: Client;
  readonly skills: SkillsClient;
}

async function connect(era: Era, transport: Transport): Promise<Connection> {
  const client = new Client(
    { name: 'skills', version: '1' },
    { versionNegotiation: { mode: era } },
  );
  await client.connect(transport);
  afterFile(() => client.close());
  return { client, skills: new SkillsClient(client) };
}

const overStdio = (...args: string[]): Transport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, ...args],
    env: { ...cleanEnv },
    stderr: 'ignore',
  });

const withoutStore = async (): Promise<string[]> => [
  '--db',
  join(await folderForFile(), 'none.db'),
];

const service = sharedRestService();

async function overHttp(...keyOptions: string[]): Promise<Transport> {
  const key = await service().newKey(...keyOptions);
  return new StreamableHTTPClientTransport(mcpUrl(service().base), {
    requestInit: { headers: { 'x-api-key': key } },
  });
}

const transports = {
  'standard input and output': async () => overStdio(...(await withoutStore())),
  HTTP: () => overHttp(),
};

const ERAS: readonly [Era, string][] = [
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
];

const namesOf = (skills: readonly Skill[]): string[] =>
  skills.map(({ frontmatter }) => frontmatter.name);

describe.each(
  Object.entries(transports).flatMap(([name, transport], index) =>
    ERAS.filter((_, ofEra) => isDeepRun || ofEra === index).map(([era, version]) => ({
      name,
      transport,
      era,
      version,
    })),
  ),
)('a client ($era) over $name', ({ transport, era, version }) => {
  let connection: Connection;
  beforeAll(async () => {
    connection = await connect(era, await transport());
  });

  it('gets the skills of the plugin, verified, and the same text as prompts', async () => {
    const { client, skills } = connection;
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(skills.supported).toBe(true);
    const listing = await skills.list();
    expect(namesOf(listing.skills).sort()).toEqual(readdirSync(PROMPTS).sort());
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    for (const skill of listing.skills) {
      const { name } = skill.frontmatter;
      const { text, body, verified, mimeType } = await skills.read(skill);
      expect({ text, verified, mimeType }).toEqual({
        text: sourceOf(name),
        verified: true,
        mimeType: 'text/markdown',
      });
      expect((await skills.get(skill.uri)).skill).toEqual(skill);
      const prompt = prompts.find((each) => each.name === name.replaceAll('-', '_'));
      expect([name, prompt?.description]).toEqual([
        name,
        name === 'irrigation' ? undefined : skill.frontmatter.description,
      ]);
      if (!prompt) continue;
      const { messages } = await client.getPrompt({ name: prompt.name });
      expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: body!.trim() } }]);
    }
    const cacheable = { ttlMs: 300_000, cacheScope: 'private' };
    const { ttlMs, cacheScope } = listing;
    expect({ ttlMs, cacheScope }).toEqual(
      era === 'auto' ? cacheable : { ttlMs: undefined, cacheScope: undefined },
    );
  });

  it('that asks for what is no skill gets an error that names the skills', async () => {
    const { client, skills } = connection;
    const wrong = [
      uriOf('nowhere'),
      'skill://acequia/plan-week',
      'skill://acequia/../catalog.json',
      'skill://',
      '',
    ];
    for (const uri of wrong) {
      const refusal = { code: -32602, message: expect.stringContaining(uriOf('plan-week')) };
      await expect(skills.get(uri)).rejects.toMatchObject(refusal);
      if (uri !== '') await expect(client.readResource({ uri })).rejects.toMatchObject(refusal);
    }
  });

  it('that knows no skills finds them by one resource template, and reads them as resources', async () => {
    const { client } = connection;
    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith('skill:'))).toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    const { uriTemplate, description } = resourceTemplates.find((each) =>
      each.uriTemplate.startsWith('skill:'),
    )!;
    for (const skill of readdirSync(PROMPTS)) {
      expect(description).toContain(skill);
      const uri = uriTemplate.replace('{skill}', skill);
      expect((await client.readResource({ uri })).contents).toMatchObject([
        { uri, mimeType: 'text/markdown', text: sourceOf(skill) },
      ]);
    }
  });
});

describe('only the skills whose needed tools are all offered are listed and readable', () => {
  const everyPrompt = readdirSync(PROMPTS)
    .filter((name) => name !== 'irrigation')
    .map((name) => name.replaceAll('-', '_'));

  const offered = async (era: Era, transport: Transport): Promise<string[]> => {
    const { client, skills } = await connect(era, transport);
    const names = namesOf((await skills.list()).skills);
    const { prompts } = await client.listPrompts();
    expect(
      names.filter((name) => name !== 'irrigation').map((name) => name.replaceAll('-', '_')),
    ).toEqual(prompts.map(({ name }) => name));
    for (const name of everyPrompt) {
      const [got] = await Promise.allSettled([client.getPrompt({ name })]);
      expect([name, got.status]).toEqual([
        name,
        prompts.some((each) => each.name === name) ? 'fulfilled' : 'rejected',
      ]);
    }
    const { resourceTemplates } = await client.listResourceTemplates();
    const template = resourceTemplates.find(({ uriTemplate }) => uriTemplate === uriOf('{skill}'));
    expect(template!.description).toContain(`one of ${names.join(', ')}.`);
    for (const name of readdirSync(PROMPTS)) {
      const uri = uriOf(name);
      const [read, got] = await Promise.allSettled([client.readResource({ uri }), skills.get(uri)]);
      const status = names.includes(name) ? 'fulfilled' : 'rejected';
      expect([name, read.status, got.status]).toEqual([name, status, status]);
    }
    return names;
  };

  itInDeepRuns('under --toolsets and --read-only', async () => {
    const within = async (era: Era, ...options: string[]) =>
      offered(era, overStdio(...(await withoutStore()), ...options));
    expect(await within('auto', '--toolsets', 'daily')).toEqual([
      ...['irrigation-review', 'irrigation', 'log-watering', 'plan-week'],
    ]);
    expect(await within('legacy', '--read-only')).toEqual(['irrigation-review', 'irrigation']);
  });

  it.each(ERAS)('with the scopes of a key (%s)', async (era) => {
    expect(await offered(era, await overHttp('--preset', 'assistant'))).toEqual([
      ...['irrigation-review', 'irrigation', 'log-watering', 'plan-week', 'tune-threshold'],
    ]);
    expect(await offered(era, await overHttp('--preset', 'viewer'))).toEqual([
      'irrigation-review',
      'irrigation',
    ]);
  });
});
