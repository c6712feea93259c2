import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { describeFiring } from '../../../src/language/alerts/alert-summary.ts';
import { insertFarmRow } from '../../../src/store/farm/farm-rows.ts';
import { bareModule, DAY, FARM_NOW, type TestFarm, withFarm } from '../../farm.ts';

const FRENCH = { lang: 'fr' } as const;
const DRIP = { system: 'drip', flowMmPerH: 3.2 };
const MORNING = { startedAt: 'today 6:00', inputMode: 'duration', durationMin: 45 };

const said = async (farm: TestFarm, tool: string, args: Record<string, unknown>): Promise<string> =>
  (await farm.tool(tool, args, FRENCH)).summary;

describe('in French', () => {
  it('a watering is said with its dose, and with what its dose rests on', () =>
    withFarm(async (farm) => {
      await farm.declare('North 1', DRIP);
      // 45 min at 3.2 mm/h are 2.4 mm, over 0.35 of the area 6.86 mm.
      expect(await said(farm, 'log_watering', { module: 'North 1', ...MORNING })).toBe(
        'Arrosage enregistré : 45 min de goutte-à-goutte sur North 1, aujourd’hui de 06:00 à 06:45 (Europe/Paris) : 2,4 mm sur toute la surface, 6,9 mm dans la zone humectée. La fraction humectée de 0,35 est la valeur par défaut (goutte-à-goutte).',
      );
    }));

  it('a watering without equipment is said with what to declare', () =>
    withFarm(async (farm) => {
      expect(await said(farm, 'log_watering', { module: 'South block', ...MORNING })).toBe(
        'Arrosage enregistré : 45 min sur South 1, aujourd’hui de 06:00 à 06:45 (Europe/Paris) : pas encore de dose. Aucune installation de South 1 ne couvre cette date, donc la dose manque : déclarez ce qui était en place avec set_module_installation, effectiveFrom à cette date ou avant, et elle se complétera seule. South block a été pris pour sa seule sonde, South 1.',
      );
    }));

  it('a correction and the book are said with their states', () =>
    withFarm(async (farm) => {
      await farm.declare('North 1', { ...DRIP, fractionWetted: 0.5 });
      const { event } = await farm.log('North 1', MORNING);
      const correction = { eventId: event.id, startedAt: 'yesterday 6:00', inputMode: 'duration', durationMin: 30 };
      expect(await said(farm, 'correct_watering', correction)).toBe(
        `L’arrosage ${event.id} est maintenant réalisé : 30 min de goutte-à-goutte sur North 1, hier de 06:00 à 06:30 (Europe/Paris) : 1,6 mm sur toute la surface, 3,2 mm dans la zone humectée. La dose d’avant était de 2,4 mm.`,
      );
      await farm.log('North 1', { ...MORNING, startedAt: 'tomorrow 6:00' });
      expect(await said(farm, 'list_waterings', { module: 'North 1' })).toBe(
        '2 arrosages affichés, le plus récent d’abord : demain à 06:00 (Europe/Paris) sur North 1, 2,4 mm sur toute la surface, 4,8 mm dans la zone humectée (prévu). 2 en tout : 1 réalisé, 1 prévu.',
      );
    }));

  it('equipment is said with what it lacks', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', { ...MORNING, inputMode: 'volume_m3', inputVolumeM3: 12, durationMin: undefined });
      expect(await said(farm, 'set_module_installation', { module: 'North 1', ...DRIP })).toBe(
        'Équipement de North 1 : goutte-à-goutte, 3,2 mm/h, fraction humectée 0,35 (par défaut), surface irriguée inconnue, depuis toujours. 1 arrosage sans dose, faute du débit ou de la surface qu’il faudrait dans l’équipement.',
      );
    }));

  it('a schedule is said with its days, and with what is planned', () =>
    withFarm(async (farm) => {
      await farm.declare('North 1', { ...DRIP, fractionWetted: 0.5 });
      const plan = {
        module: 'North 1',
        freq: 'weekly',
        weekdays: [1, 4],
        startTimes: ['05:00'],
        timezone: 'Europe/Paris',
        startsOn: '2026-07-01',
        endsOn: '2026-07-31',
        inputMode: 'depth_mm',
        inputDepthMm: 4.5,
      };
      const { id, summary } = await farm.tool<{ id: number }>('create_schedule', plan, FRENCH);
      // Thursdays 2, 9, 16, 23 and 30, Mondays 6, 13, 20 and 27.
      expect(summary).toBe(
        `La programmation ${id} arrose North 1 chaque lundi et jeudi à 05:00 (Europe/Paris), 4,5 mm à chaque fois, à partir du 1er juillet 2026 jusqu’au 31 juillet 2026 ; les arrosages passés comptent d’eux-mêmes comme réalisés. 9 arrosages prévus dans les 90 prochains jours, le prochain demain à 05:00.`,
      );
      expect(await said(farm, 'update_schedule', { scheduleId: id, startTimes: ['05:30'] })).toContain(
        '9 arrosages à venir déplacés de 05:00 à 05:30.',
      );
    }));

  it('a company and an alert are said', () =>
    withFarm(async (farm) => {
      expect(await said(farm, 'get_company', {})).toBe('Mas Rouge ; fuseau horaire Europe/Paris.');
      expect(await said(farm, 'create_alert', { module: 'North 1', threshold: 19.5 })).toBe(
        'Nouvelle alerte, North 1 : elle se déclenche sous 19,5 %, jusqu’à 24,5 %, avec un rappel chaque jour à 08:00 (Europe/Paris). Il n’y a pas de capteur d’humidité du sol, donc elle ne se déclenche jamais : list_modules donne les sondes. Elle est au repos, sans aucune mesure d’humidité à ce jour.',
      );
    }));

  it('a length of time over midnight names both days', () =>
    withFarm(async (farm) => {
      const night = { module: 'North 1', startedAt: '2026-06-27 23:30', inputMode: 'duration', durationMin: 75 };
      expect(await said(farm, 'log_watering', night)).toContain(
        'du 27 juin à 23:30 jusqu’au 28 juin à 00:45 (Europe/Paris)',
      );
      farm.now = FARM_NOW + 200 * DAY;
      expect(await said(farm, 'list_waterings', {})).toContain('le 27 juin 2026 à 23:30');
    }));

  it('a refusal is in English, since it is for the model', () =>
    withFarm(async (farm) => {
      await expect(farm.tool('get_module', { module: 'East' }, FRENCH)).rejects.toMatchObject({
        message: 'No module is called "East".',
      });
    }));
});

it('a firing alert is said with its newest value, or with how old that is, in French', () => {
  const parts = { directory: { modules: async () => [], parcels: async () => [] }, notes: [] };
  const call = { now: FARM_NOW, zone: 'Europe/Paris', isZoneDeclared: true, ...FRENCH, ...parts };
  const firing = { threshold: '19.5', hysteresis: '5', value: 18.4, since: FARM_NOW - 2 * DAY };
  expect(describeFiring({ ...firing, evaluatedAt: FARM_NOW }, call)).toBe(
    'Son alerte est déclenchée depuis le 29 juin à 12:00 : 18,4 %, sous 19,5 %.',
  );
  expect(describeFiring({ ...firing, evaluatedAt: FARM_NOW - 1.5 * DAY }, call)).toBe(
    'Son alerte compte comme déclenchée depuis le 29 juin à 12:00, mais sa dernière mesure date d’hier à 00:00.',
  );
});

describe('a module without a name', () => {
  const nameless = (farm: TestFarm): Promise<number> =>
    farm.write((db) => insertFarmRow(db, 'modules', bareModule({ uid: 'FF-17', number: 12, commissioned_at: 1 })));

  it.each([
    ['en', 'Soil probe 12'],
    ['fr', 'Sonde 12'],
  ] as const)('has the default name of the language that is heard: %s', (lang, name) =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      const { summary, ...module } = await farm.tool<{ name: string }>('get_module', { module: `#${id}` }, { lang });
      expect([module.name, summary.startsWith(name)]).toEqual([name, true]);
    }),
  );

  it.each([
    ['en', 'Sonde 12'],
    ['en', 'soil probe 12'],
    ['fr', 'Soil probe 12'],
    ['fr', 'sonde 12'],
  ] as const)('is found in %s by the default name of either language: %s', (lang: Lang, text) =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      expect(await farm.tool('get_module', { module: text }, { lang })).toMatchObject({ id });
      expect(await farm.tool('list_modules', { search: text }, { lang })).toMatchObject({ data: [{ id }] });
    }),
  );

  it('gives way to one that was given the name that it has in another language', () =>
    withFarm(async (farm) => {
      await nameless(farm);
      const given = await farm.write((db) =>
        insertFarmRow(db, 'modules', bareModule({ uid: 'FF-18', name: 'Sonde 12', commissioned_at: 1 })),
      );
      expect(await farm.tool('get_module', { module: 'Sonde 12' })).toMatchObject({ id: given });
    }));

  it('is labelled in English over the wire, unless the request says otherwise', () =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      expect(await farm.wire('get_module', { moduleId: id }, FRENCH)).toMatchObject({ name: 'Soil probe 12' });
      expect(await farm.wire('get_module', { moduleId: id, lang: 'fr' })).toMatchObject({ name: 'Sonde 12' });
    }));
});
