import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CatalogPrompt } from '../../src/mcp/catalog.ts';
import { renderCatalog } from '../../src/mcp/render-catalog.ts';

const { prompts, tools } = await renderCatalog(fileURLToPath(new URL('../../prompts', import.meta.url)), '0.0.0');
const toolNames = tools.map(({ name }) => name);
const promptNames = prompts.map(({ name }) => name);

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
const argumentsOf = (name: string): string[] => Object.keys(schemaOf(name).inputSchema.properties ?? {});
const wordsKnownTo = (name: string): string[] => [
  ...wordsOf(schemaOf(name).inputSchema as Schema),
  ...wordsOf(schemaOf(name).outputSchema as Schema | undefined),
];

const QUOTED = /`([^`\n]+)`/g;
const quotedIn = (text: string): string[] => [...text.matchAll(QUOTED)].map(([, word]) => word!);
const toolsIn = (text: string): string[] => quotedIn(text).filter((word) => toolNames.includes(word));

const proseOf = ({ text }: CatalogPrompt): string => text.replace(/^```[\s\S]*?^```$/gm, '');

it('has the prompts for every part of a day', () => {
  expect(promptNames).toEqual(
    expect.arrayContaining([
      'irrigation_review',
      'log_watering',
      'plan_week',
      'set_up_farm',
      'set_up_probe',
      'tune_threshold',
    ]),
  );
});

describe.each(prompts.map((prompt) => [prompt.name, prompt] as const))('the prompt %s', (_, prompt) => {
  const prose = proseOf(prompt);

  it('names in code only tools, and arguments, fields and values of the tools it mentions', () => {
    const anywhere = toolsIn(prose).flatMap(wordsKnownTo);
    const unknown = prose.split('\n').flatMap((line) => {
      const tools = toolsIn(line);
      const known = [...toolNames, ...(tools.length > 0 ? tools.flatMap(wordsKnownTo) : anywhere)];
      return quotedIn(line).filter((word) => !word.startsWith('acequia ') && !known.includes(word));
    });
    expect(unknown).toEqual([]);
  });

  it('passes a tool only arguments that it accepts, where they are in brackets after it', () => {
    for (const [, name, args] of prose.matchAll(/`(\w+)` \((\w+(?:, \w+)+)\)/g))
      if (toolNames.includes(name!))
        expect([name, argumentsOf(name!)]).toEqual([name, expect.arrayContaining(args!.split(', '))]);
  });

  it('names no unknown tool or prompt outside code either', () => {
    const verbs =
      /\b(?:list|get|log|set|correct|create|update|delete|advise|review|chart|backtest|tune|plan)_[a-z_]+\b/g;
    for (const [word] of prose.replace(QUOTED, '').matchAll(verbs))
      expect([...toolNames, ...promptNames]).toContain(word);
  });

  it('is short: under 600 words', () => expect(prompt.text.split(/\s+/).length).toBeLessThan(600));

  it('says what is never assumed, and what to ask', () => {
    expect(prose).toMatch(/[Nn]ever/);
    expect(prose).toMatch(/\b[Aa]sk\b/);
  });
});
