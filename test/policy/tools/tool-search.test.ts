import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { renderCatalog } from '../../../src/mcp/render-catalog.ts';
import { EVERYDAY_PHRASES } from './everyday-phrases.ts';
import { toolSearch } from './tool-search.ts';

const { tools, appTools, operations } = await renderCatalog(
  fileURLToPath(new URL('../../../prompts', import.meta.url)),
  '0.0.0',
  '0',
);
const search = toolSearch(tools);

/** The search of a client that renders apps; its model never sees the tools of the page. */
const searchOfHost = toolSearch([
  ...tools,
  ...appTools.filter(({ name }) => operations[name]!.page?.audience === 'app-entry'),
]);

const OPENERS: Readonly<Record<string, string>> = {
  'show me the farm': 'show_farm',
  'open the page': 'show_farm',
  dashboard: 'show_farm',
  'montre-moi l’exploitation': 'show_farm',
  'muéstrame la finca': 'show_farm',
  'show me the chart': 'show_moisture',
  'see the curve of North 1': 'show_moisture',
  'montre-moi la courbe': 'show_moisture',
  'muéstrame la gráfica': 'show_moisture',
};

describe('a search for tools', () => {
  it.each(LANGS)('finds the right one among the first three, for what growers say (%s)', (lang) => {
    const phrases = Object.entries(EVERYDAY_PHRASES[lang]);
    expect(phrases.length).toBeGreaterThanOrEqual(30);
    const missed = phrases.flatMap(([phrase, right]) => {
      const found = search(phrase);
      const best = found.find(({ name }) => right.includes(name));
      const rivals = found.filter(
        ({ score, name }) => score >= (best?.score ?? 0) && !right.includes(name),
      );
      return best && rivals.length < 3
        ? []
        : [`${phrase}: ${rivals.map(({ name }) => name).join(', ')}`];
    });
    expect(missed).toEqual([]);
  });

  it('finds what opens the page first, where the page is shown', () => {
    for (const [phrase, name] of Object.entries(OPENERS))
      expect([phrase, searchOfHost(phrase)[0]?.name]).toEqual([phrase, name]);
  });

  it.each(LANGS)('still finds the others there (%s)', (lang) => {
    const missed = Object.entries(EVERYDAY_PHRASES[lang]).filter(([phrase, right]) => {
      const found = searchOfHost(phrase).filter(
        ({ name }) => operations[name]!.page?.audience === undefined,
      );
      return !found.slice(0, 3).some(({ name }) => right.includes(name));
    });
    expect(missed).toEqual([]);
  });

  it('knows every tool by some phrase', () => {
    const served = new Set(LANGS.flatMap((lang) => Object.values(EVERYDAY_PHRASES[lang]).flat()));
    expect(tools.map(({ name }) => name).filter((name) => !served.has(name))).toEqual([]);
  });

  it('finds nothing for what no tool does', () => {
    expect(search('helicopter')).toEqual([]);
  });
});
