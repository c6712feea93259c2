import { expect, it } from 'vitest';
import { fillPrompt } from '../../src/mcp/catalog.ts';

const prompt = {
  name: 'greet',
  description: 'Greets somebody.',
  arguments: [{ name: 'who', required: true }, { name: 'where' }],
  text: 'Greet {{who: the person}} in {{where: the place they are at}}, then {{who: the person}} again.',
};
const filledText = (values: Record<string, string>): unknown => fillPrompt(prompt, values).messages[0]?.content;

it('fills in every occurrence of an argument, and its default words otherwise', () => {
  expect(filledText({ who: 'Ana' })).toEqual({
    type: 'text',
    text: 'Greet "Ana" in the place they are at, then "Ana" again.',
  });
});

it('treats a blank value as absent', () => {
  expect(filledText({ who: 'Ana', where: '  ' })).toMatchObject({
    text: expect.stringContaining('the place they are at'),
  });
});

it('does not interpret a value as a pattern or a placeholder', () => {
  expect(filledText({ who: '$& $1 {{where: x}}', where: 'Arles' })).toMatchObject({
    text: 'Greet "$& $1 {{where: x}}" in "Arles", then "$& $1 {{where: x}}" again.',
  });
});

it('refuses a missing required argument', () => {
  expect(() => fillPrompt(prompt, {})).toThrow(/greet needs who/);
});
