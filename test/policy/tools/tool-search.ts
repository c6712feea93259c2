import type { Tool } from '@modelcontextprotocol/server';

/** Returns words without accents and case; `startedAt` and `log_watering` are two words each. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z\d]+/g) ?? [];

const searchedText = ({ name, description, inputSchema, _meta }: Tool): string =>
  [
    name,
    _meta?.['anthropic/searchHint'],
    description,
    ...Object.keys(inputSchema.properties ?? {}),
  ].join(' ');

const K1 = 1.2;
const B = 0.75;

/**
 * Okapi BM25 with the usual parameters (Robertson and Zaragoza, The Probabilistic Relevance
 * Framework, 2009), over what clients search that defer tools; not every one searches the
 * descriptions of arguments. Words must match exactly, since not every client knows stems.
 */
export function toolSearch(
  tools: readonly Tool[],
): (phrase: string) => readonly { name: string; score: number }[] {
  const documents = tools.map((tool) => ({ name: tool.name, words: wordsOf(searchedText(tool)) }));
  const averageLength =
    documents.reduce((sum, { words }) => sum + words.length, 0) / documents.length;
  const rarity = (word: string): number => {
    const holders = documents.filter(({ words }) => words.includes(word)).length;
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  };
  return (phrase) =>
    documents
      .map(({ name, words }) => {
        const lengthFactor = K1 * (1 - B + (B * words.length) / averageLength);
        const scoreOf = (wanted: string): number => {
          const count = words.filter((word) => word === wanted).length;
          return (rarity(wanted) * count * (K1 + 1)) / (count + lengthFactor);
        };
        return {
          name,
          score: [...new Set(wordsOf(phrase))].reduce((sum, word) => sum + scoreOf(word), 0),
        };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
}
