import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { fillPrompt } from '../../src/mcp/catalog.ts';
import { renderCatalog } from '../../src/mcp/render-catalog.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'prompts');
const { skills, prompts, tools } = await renderCatalog(folder, '0.0.0', '0');
const toolNames = tools.map(({ name }) => name);
const skillNames = readdirSync(folder);
const uriOf = (skill: string) => `skill://acequia/${skill}/SKILL.md`;

/** Reads what the plugin ships without the code that renders the catalog. */
function shipped(skill: string) {
  const content = readFileSync(join(folder, skill, 'SKILL.md'), 'utf8');
  const [, head = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(content)!;
  return { content, frontmatter: parse(head), text };
}

interface Schema {
  readonly properties?: Record<string, Schema>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
}

function* wordsOf(schema: Schema | undefined): Generator<string> {
  for (const value of schema?.enum ?? []) yield String(value);
  for (const [name, inner] of Object.entries(schema?.properties ?? {})) {
    yield name;
    yield* wordsOf(inner);
  }
  if (schema?.items) yield* wordsOf(schema.items);
}

const schemaOf = (name: string) => tools.find((tool) => tool.name === name)!;
const argumentsOf = (name: string): string[] =>
  Object.keys(schemaOf(name).inputSchema.properties ?? {});
const wordsKnownTo = (name: string): string[] => [
  ...wordsOf(schemaOf(name).inputSchema as Schema),
  ...wordsOf(schemaOf(name).outputSchema as Schema | undefined),
];

const QUOTED = /`([^`\n]+)`/g;
const quotedIn = (text: string): string[] => [...text.matchAll(QUOTED)].map(([, word]) => word!);
const toolsIn = (text: string): string[] =>
  quotedIn(text).filter((word) => toolNames.includes(word));

/**
 * The names of files with the hashes of their contents, as git would commit them: the build writes
 * the copy in the working tree anew, so only there can a stale one be seen.
 */
function filesInGit(path: string): Map<string, string> {
  const args = ['-c', 'safe.directory=*', 'ls-files', '--stage', '-z', '--', path];
  const entries = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0');
  return new Map(
    entries.flatMap((entry) => {
      const [, hash, file] = /^\d+ (\w+) 0\t(.*)$/.exec(entry) ?? [];
      return hash && file ? [[relative(path, file), hash]] : [];
    }),
  );
}

// An archive of the sources holds no record of what is committed.
describe.skipIf(!existsSync(join(root, '.git')))('the skills of the plugin', () => {
  it('are committed as a copy of prompts/', () => {
    const sources = filesInGit('prompts');
    expect([...sources.keys()]).toContain(join('irrigation', 'SKILL.md'));
    expect(filesInGit('packages/plugin/skills')).toEqual(sources);
  });
});

it('has a skill for every part of a day, each of which a person can choose as a prompt', () => {
  expect(skillNames).toEqual([
    ...[
      'irrigation',
      'irrigation-review',
      'log-watering',
      'plan-week',
      'set-up-farm',
      'set-up-probe',
      'tune-threshold',
    ],
  ]);
  expect(prompts.map(({ name }) => name)).toEqual([
    ...[
      'irrigation_review',
      'log_watering',
      'plan_week',
      'set_up_farm',
      'set_up_probe',
      'tune_threshold',
    ],
  ]);
});

it('serves exactly the skills of the plugin, with the hash and size of each file', () => {
  const expected = skillNames.map((skill) => {
    const { content, frontmatter } = shipped(skill);
    const uri = uriOf(skill);
    const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`;
    return { uri, frontmatter, resources: [{ uri, digest, size: Buffer.byteLength(content) }] };
  });
  const listed = skills.map(({ needs: _, ...skill }) => skill);
  expect(listed).toHaveLength(expected.length);
  expect(listed).toEqual(expect.arrayContaining(expected));
  for (const skill of skillNames) expect(readdirSync(join(folder, skill))).toEqual(['SKILL.md']);
});

it.each(prompts.map((prompt) => [prompt.name, prompt] as const))(
  'the prompt %s says what its skill says',
  (name, prompt) => {
    const { frontmatter, text } = shipped(name.replaceAll('_', '-'));
    const { title, needs: _, ...described } = frontmatter.metadata;
    expect(prompt).toMatchObject({ title, description: frontmatter.description });
    const values = Object.fromEntries(Object.keys(described).map((name) => [name, `my ${name}`]));
    const lines = Object.entries(described).map(([name, words]) => `${words}: "my ${name}"\n\n`);
    const filled = (values: Record<string, string>) =>
      fillPrompt(prompt, values).messages[0]!.content;
    expect(filled({})).toEqual({ type: 'text', text: text.trim() });
    expect(filled(values)).toEqual({ type: 'text', text: lines.join('') + text.trim() });
  },
);

describe.each(skillNames)('the skill %s', (skill) => {
  const { frontmatter, text } = shipped(skill);
  const { needs } = skills.find(({ uri }) => uri === uriOf(skill))!;

  it('says briefly what it is for and when to use it', () => {
    expect(frontmatter.description).toMatch(/(^|[.] )Use when /);
    expect(frontmatter.description.length).toBeLessThanOrEqual(250);
  });

  it('names in code only skills, tools, and arguments, fields and values of the tools it mentions', () => {
    const anywhere = toolsIn(text).flatMap(wordsKnownTo);
    const unknown = text.split('\n').flatMap((line) => {
      const tools = toolsIn(line);
      const knownWords = [
        ...skillNames,
        ...toolNames,
        ...(tools.length > 0 ? tools.flatMap(wordsKnownTo) : anywhere),
      ];
      return quotedIn(line).filter((word) => !/^acequia/.test(word) && !knownWords.includes(word));
    });
    expect(unknown).toEqual([]);
  });

  it('needs few of the tools that it names, and says what to do without the others', () => {
    expect(needs).toEqual(frontmatter.metadata?.needs.split(' ') ?? []);
    expect(toolsIn(text)).toEqual(expect.arrayContaining([...needs]));
    expect(needs.length).toBeLessThan(new Set(toolsIn(text)).size);
    expect(text).toContain(
      'If a tool named here is not offered, say what is missing and do the rest.',
    );
  });

  it('passes a tool only arguments that it accepts, where they are in brackets after it', () => {
    for (const [, name, args] of text.matchAll(/`(\w+)` \((\w+(?:, \w+)+)\)/g))
      if (toolNames.includes(name!))
        expect([name, argumentsOf(name!)]).toEqual([
          name,
          expect.arrayContaining(args!.split(', ')),
        ]);
  });

  it('names tools and skills in code alone', () => {
    const verbs =
      /\b(?:list|get|log|set|correct|create|update|delete|advise|review|chart|backtest|tune|plan)_[a-z_]+\b/g;
    expect(text.replace(QUOTED, '').match(verbs)).toBeNull();
  });

  it('is short: under 600 words', () => expect(text.split(/\s+/).length).toBeLessThan(600));

  it('says what is never assumed, and what to ask', () => {
    expect(text).toMatch(/[Nn]ever/);
    expect(text).toMatch(/\b[Aa]sk\b/);
  });
});
