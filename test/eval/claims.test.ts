import { describe, expect, it } from 'vitest';
import { writingClaimIn } from '../../eval/claims.ts';
import { Evidence } from '../../eval/evidence.ts';
import { figuresIn } from '../../eval/figures.ts';

/** The figures of a reply that the sources do not bear out. */
function unfounded(reply: string, sources: { words?: string; answer?: unknown }): string[] {
  const evidence = new Evidence();
  evidence.addWords(sources.words ?? '');
  evidence.add(sources.answer);
  return figuresIn(reply)
    .filter((figure) => !evidence.supports(figure))
    .map(({ text }) => text);
}

describe('the figures of a reply', () => {
  it.each([
    ['It takes 4 h 20 min, 26 mm.', ['4 h 20 min', '26 mm']],
    ['Forty minutes on North 1.', ['40 minutes']],
    ['Noté : 22,9 % en moyenne, une heure et demie.', ['22,9 %', '1 heure et demie']],
    ['Doce milímetros, 1,5 hectáreas.', ['12 milimetros', '1,5 hectareas']],
    ['That is 4 mm/h on 15,000 m2.', ['4 mm/h', '15,000 m2']],
    ['34 kPa, 3 days from now.', ['34 kpa', '3 days']],
    ['Four waterings of North 1, on 12 July at 21:00.', []],
  ])('are found in "%s"', (reply, figures) => {
    expect(figuresIn(reply).map(({ text }) => text)).toEqual(figures);
  });

  it.each([
    ['the field of an answer', '50 minutes', { answer: { durationMin: 50 } }],
    ['another unit', 'An hour and a half', { answer: { durationMin: 90 } }],
    ['the digits that are stated', '25 percent', { answer: { value_vwc: 25.2 } }],
    ['a share', '35 %', { answer: { fractionWetted: 0.35 } }],
    ['a sentence of an answer', '16.8 mm', { answer: 'Logged: 16.8 mm over the whole area.' }],
    ['an inch', '1.2 inches', { answer: { waterMm: 30.48 } }],
    ['the words of the person', 'Vingt minutes ?', { words: 'sud un a eu vingt' }],
    ['a clock time', 'Samedi à 21 h 30.', { answer: { 'watering North 1 2026-07-14 21:30': {} } }],
  ])('are borne out by %s', (_, reply, sources) => {
    expect(unfounded(reply, sources)).toEqual([]);
  });

  it.each([
    ['another value', '51 minutes', { answer: { durationMin: 50 } }],
    ['a value of another unit', '50 mm', { answer: { durationMin: 50 } }],
    ['an id', '115 mm', { answer: { eventId: 115 } }],
    ['a coarser value', '25.2 %', { answer: { value_vwc: 25 } }],
    ['an instant of UTC', 'À 21 h 30.', { answer: { at: '2026-07-14T21:30:00Z' } }],
  ])('are not borne out by %s', (_, reply, sources) => {
    expect(unfounded(reply, sources)).toHaveLength(1);
  });
});

describe('a claim of a write', () => {
  it.each([
    'I logged 40 minutes on North 1.',
    'Sure, noted. Anything else?',
    'Done.',
    "C'est noté : 20 minutes.",
    "J'ai corrigé l'arrosage de lundi.",
    'Lo he anotado.',
    'Registrado, 15 mm.',
  ])('is found in "%s"', (reply) => {
    expect(writingClaimIn(reply)).not.toBeNull();
  });

  it.each([
    'I have not logged anything.',
    'How long did it run?',
    'It was already logged on Sunday.',
    'Il est déjà noté, dimanche à 21 h.',
    'Two are planned for Friday.',
    'Ya está registrado.',
    'Logged so far: three waterings.',
  ])('is not found in "%s"', (reply) => {
    expect(writingClaimIn(reply)).toBeNull();
  });
});
