import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { renderCatalog } from '../../src/mcp/render-catalog.ts';
import { EVERYDAY_PHRASES } from './everyday-phrases.ts';
import { toolSearch } from './tool-search.ts';

const { tools } = await renderCatalog(fileURLToPath(new URL('../../plugin/skills', import.meta.url)), '0.0.0');
const search = toolSearch(tools);

describe('a search for tools', () => {
  it.each(LANGS)('finds the right one among the first three, for what growers say (%s)', (lang) => {
    const phrases = Object.entries(EVERYDAY_PHRASES[lang]);
    expect(phrases.length).toBeGreaterThanOrEqual(30);
    const missed = phrases.flatMap(([phrase, right]) => {
      const found = search(phrase);
      const best = found.find(({ name }) => right.includes(name));
      const rivals = found.filter(({ score, name }) => score >= (best?.score ?? 0) && !right.includes(name));
      return best && rivals.length < 3 ? [] : [`${phrase}: ${rivals.map(({ name }) => name).join(', ')}`];
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
