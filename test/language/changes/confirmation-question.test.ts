import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import type { UnitSystem } from '../../../src/domain/units.ts';
import { confirmationQuestion } from '../../../src/language/changes/confirmation-question.ts';
import { render } from '../../../src/language/text/render.ts';
import { readText } from '../../../src/language/text/rendered-text.ts';
import type { AnnotationBody } from '../../../src/schema/alerts/annotation.ts';
import type { Confirmation, UndoneChangeBody } from '../../../src/schema/changes/change.ts';
import { DAY, FARM_NOW, iso } from '../../farm.ts';
import { contextOf, MODULE } from '../context.ts';

const context = contextOf({ modules: [{ ...MODULE, name: 'Ouest 12 mm' }] });

async function asked(
  confirmation: Confirmation,
  lang: Lang,
  units: UnitSystem = 'metric',
): Promise<string> {
  const person = { ...context, units, lang };
  return readText(render(await confirmationQuestion(confirmation, person), person).summary);
}

const LINE = {
  module_id: 1,
  chart_type: 'humidity',
  type: 'h-line',
  unit: 'vwc',
  p1: [FARM_NOW, 31.5],
  p2: null,
  content: { style: { fill: 'threshold1' } },
} as Partial<AnnotationBody> as AnnotationBody;

const deletionOf = (
  annotation: Partial<AnnotationBody>,
  stopsAlert = false,
): Confirmation & { kind: 'deletion' } => ({
  kind: 'deletion',
  annotation: { ...LINE, ...annotation },
  stopsAlert,
});

describe('before a drawing is deleted', () => {
  it.each([
    [
      'en',
      'Delete this from the moisture curve of Ouest 12 mm: the field capacity as a line at 31.5 % (vwc)? Its alert stops with it.',
    ],
    [
      'fr',
      'Supprimer ce tracé sur la courbe d’humidité d’Ouest 12 mm : la capacité au champ, en ligne à 31,5 % en volume ? Son alerte s’arrête avec lui.',
    ],
    [
      'es',
      '¿Eliminar esta anotación en la curva de humedad de Ouest 12 mm: la capacidad de campo, como línea a 31,5 % en volumen? Su alerta se detiene con ella.',
    ],
  ] as const)('a person is asked in %s', async (lang, question) =>
    expect(await asked(deletionOf({}, true), lang, 'us')).toBe(question),
  );

  it('its text is quoted', async () =>
    expect(
      await asked(deletionOf({ content: { style: {}, text: '12 mm, 06:00' } }), 'en'),
    ).toContain(', "12 mm, 06:00"?'));
});

describe('before a line is drawn that does not fit the soil', () => {
  const doubt = { basis: 'saturation', expected: 43.26 };
  it.each([
    ['en', ' at 31.5 % (vwc)? In this soil at most 43.3 % would be expected.'],
    ['fr', ' à 31,5 % en volume ? Dans ce sol, on attendrait au plus 43,3 %.'],
    ['es', ' a 31,5 % en volumen? En este suelo se esperaría como mucho 43,3 %.'],
  ] as const)('a person hears in %s what is expected', async (lang, end) =>
    expect(await asked({ kind: 'line', annotation: LINE, doubt } as Confirmation, lang)).toMatch(
      new RegExp(`${end.replace(/[()?]/g, '\\$&')}$`),
    ),
  );
});

describe('before an undo', () => {
  const undone = {
    at: iso(FARM_NOW - DAY),
    userName: 'Ana',
    surface: 'mcp',
    effects: {
      counts: { 'schedule added': 1, 'planned_watering added': 2, 'season removed': 2 },
      rows: [{ kind: 'schedule', id: '1', before: null, after: { targetModuleId: 1 } }],
    },
  } as Partial<UndoneChangeBody> as UndoneChangeBody;
  const someDaysAgo = { ...undone, at: iso(FARM_NOW - 9 * DAY), userName: null };

  it.each([
    [
      'en',
      'Undo what was entered yesterday 12:00 by Ana, by chat or command? Then: 1 schedule removed, 2 planned waterings removed, 2 crop seasons put back (Ouest 12 mm).',
    ],
    [
      'fr',
      'Annuler la saisie d’hier à 12:00 par Ana, par conversation ou commande ? Résultat : 1 programmation supprimée, 2 arrosages prévus supprimés, 2 saisons de culture rétablies (Ouest 12 mm).',
    ],
    [
      'es',
      '¿Deshacer lo anotado ayer a las 12:00 por Ana, por chat o comando? Resultado: 1 programa eliminado, 2 riegos previstos eliminados, 2 campañas de cultivo restablecidas (Ouest 12 mm).',
    ],
  ] as const)('a person hears in %s what it does', async (lang, question) =>
    expect(await asked({ kind: 'undo', undone }, lang)).toBe(question),
  );

  it('French contracts its preposition with a date', async () =>
    expect(await asked({ kind: 'undo', undone: someDaysAgo }, 'fr')).toMatch(
      /^Annuler la saisie du 22 juin à 12:00, par conversation/,
    ));
});
