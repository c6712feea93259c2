import { expect, it } from 'vitest';
import { fillPrompt } from '../../src/mcp/catalog.ts';

const prompt = {
  name: 'greet',
  description: 'Greets somebody.',
  arguments: [{ name: 'who', required: true }, { name: 'where' }],
  text: 'Greet {{who: the person}} in {{where: the place they are at}}, then {{who: the person}} again.',
};
const filledText = (given: Record<string, string>): unknown => fillPrompt(prompt, given).messages[0]?.content;

it('fills in what was given, every time it is named, and says otherwise what is meant', () => {
  expect(filledText({ who: 'Ana' })).toEqual({
    type: 'text',
    text: 'Greet "Ana" in the place they are at, then "Ana" again.',
  });
});

it('takes a blank value as none', () => {
  expect(filledText({ who: 'Ana', where: '  ' })).toMatchObject({
    text: expect.stringContaining('the place they are at'),
  });
});

it('does not read what was given as a pattern or as another blank', () => {
  expect(filledText({ who: '$& $1 {{where: x}}', where: 'Arles' })).toMatchObject({
    text: 'Greet "$& $1 {{where: x}}" in "Arles", then "$& $1 {{where: x}}" again.',
  });
});

it('refuses when an argument is missing that it needs', () => {
  expect(() => fillPrompt(prompt, {})).toThrow(/greet needs who/);
});
