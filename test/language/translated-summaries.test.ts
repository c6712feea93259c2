import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { describeFiring } from '../../src/language/alerts/alert-summary.ts';
import { languageOf } from '../../src/language/index.ts';
import { insertFarmRow } from '../../src/store/farm/farm-rows.ts';
import { bareModule, FARM_NOW, type TestFarm, withFarm } from '../farm.ts';
import { DAY } from '../time.ts';

const DRIP = { system: 'drip', flowMmPerH: 3.2 };
const MORNING = { startedAt: 'today 6:00', inputMode: 'duration', durationMin: 45 };

interface Translation {
  readonly lang: Lang;
  readonly logged: string;
  readonly loggedWithoutSetup: string;
  corrected(id: number): string;
  readonly listed: string;
  readonly planned: string;
  readonly setup: string;
  schedule(id: number): string;
  readonly moved: string;
  readonly company: string;
  readonly alert: string;
  readonly changes: readonly string[];
  readonly overnight: string;
  readonly inOtherYear: string;
  readonly firing: string;
  readonly firingOnStaleData: string;
}

const FRENCH: Translation = {
  lang: 'fr',
  logged:
    'Arrosage enregistré : 45 min de goutte-à-goutte sur North 1, aujourd’hui de 06:00 à 06:45 (Europe/Paris) : 2,4 mm sur toute la surface, 6,9 mm dans la zone humectée. La fraction humectée de 0,35 est la valeur par défaut (goutte-à-goutte).',
  loggedWithoutSetup:
    'Arrosage enregistré : 45 min sur South 1, aujourd’hui de 06:00 à 06:45 (Europe/Paris) : pas encore de dose. Aucune installation de South 1 ne couvre cette date, donc la dose manque : déclarez ce qui était en place avec set_module_installation, effectiveFrom à cette date ou avant, et la dose sera complétée automatiquement. South block n’a qu’une sonde, South 1 : c’est elle qui a été retenue.',
  corrected: (id) =>
    `Arrosage ${id} sur North 1, hier de 06:00 à 06:30 (Europe/Paris) : déplacé, il était noté aujourd’hui à 06:00 ; 30 min au lieu de 45 min ; 1,6 mm au lieu de 2,4 mm ; 3,2 mm dans la zone humectée.`,
  listed:
    '1 arrosage affiché, le plus récent d’abord : hier à 06:00 (Europe/Paris) sur North 1, 1,6 mm sur toute la surface, 3,2 mm dans la zone humectée. 2 en tout : 1 réalisé, 1 prévu. 1 arrosage prévu, le prochain demain à 06:00 sur North 1 : status planned en donne la liste.',
  planned:
    '1 arrosage affiché, le plus proche d’abord : demain à 06:00 (Europe/Paris) sur North 1, 2,4 mm sur toute la surface, 4,8 mm dans la zone humectée (prévu). 1 en tout : 1 prévu.',
  setup:
    'Équipement de North 1 : goutte-à-goutte, 3,2 mm/h, fraction humectée 0,35 (par défaut), surface irriguée inconnue, depuis le début (version 1). 1 arrosage sans dose, faute d’un débit ou d’une surface irriguée.',
  schedule: (id) =>
    `La programmation ${id} arrose North 1 chaque lundi et jeudi à 05:00 (Europe/Paris), 4,5 mm à chaque fois, à partir du 1er juillet 2026 jusqu’au 31 juillet 2026 ; les arrosages passés comptent comme faits sans confirmation. 9 arrosages prévus dans les 90 prochains jours, le prochain demain à 05:00.`,
  moved: '9 arrosages à venir déplacés de 05:00 à 05:30.',
  company: 'Mas Rouge ; fuseau horaire Europe/Paris.',
  alert:
    'Nouvelle alerte, North 1 : elle se déclenche sous 19,5 %, jusqu’à 24,5 %, avec un rappel chaque jour à 08:00 (Europe/Paris). Il n’y a pas de capteur d’humidité du sol, donc elle ne se déclenche jamais : list_modules donne les sondes. Elle est au repos, sans mesure d’humidité à ce jour.',
  changes: ['à l’arrêt au lieu d’en marche', 'le 26 juin à 06:00 au lieu du 27 juin à 06:00'],
  overnight: 'du 27 juin à 23:30 jusqu’au 28 juin à 00:45 (Europe/Paris)',
  inOtherYear: 'le 27 juin 2026 à 23:30',
  firing: 'Son alerte est déclenchée depuis le 29 juin à 12:00 : 18,4 %, sous 19,5 %.',
  firingOnStaleData:
    'Son alerte est déclenchée depuis le 29 juin à 12:00, mais sa dernière mesure date d’hier à 00:00.',
};

const SPANISH: Translation = {
  lang: 'es',
  logged:
    'Riego registrado: 45 min de goteo en North 1, hoy de 06:00 a 06:45 (Europe/Paris): 2,4 mm sobre toda la superficie, 6,9 mm en la zona mojada. La fracción mojada de 0,35 es el valor por defecto (goteo).',
  loggedWithoutSetup:
    'Riego registrado: 45 min en South 1, hoy de 06:00 a 06:45 (Europe/Paris): todavía sin dosis. Ninguna instalación de South 1 cubre esa fecha, así que falta la dosis: declare lo que había con set_module_installation, con effectiveFrom en esa fecha o antes, y se completará sola. South block tiene una sola sonda, South 1, y es la que se ha usado.',
  corrected: (id) =>
    `Riego ${id} en North 1, ayer de 06:00 a 06:30 (Europe/Paris): movido, estaba anotado hoy a las 06:00; 30 min en lugar de 45 min; 1,6 mm en lugar de 2,4 mm; 3,2 mm en la zona mojada.`,
  listed:
    '1 riego mostrado, el más reciente primero: ayer a las 06:00 (Europe/Paris) en North 1, 1,6 mm sobre toda la superficie, 3,2 mm en la zona mojada. 2 en total: 1 realizado, 1 previsto. 1 riego previsto, el próximo mañana a las 06:00 en North 1: status planned los enumera.',
  planned:
    '1 riego mostrado, el más próximo primero: mañana a las 06:00 (Europe/Paris) en North 1, 2,4 mm sobre toda la superficie, 4,8 mm en la zona mojada (previsto). 1 en total: 1 previsto.',
  setup:
    'Equipo de North 1: goteo, 3,2 mm/h, fracción mojada 0,35 (por defecto), superficie regada desconocida, desde siempre (versión 1). 1 riego sin dosis, por falta de un caudal o de una superficie regada.',
  schedule: (id) =>
    `El programa ${id} riega North 1 los lunes y jueves a las 05:00 (Europe/Paris), 4,5 mm cada vez, a partir del 1 de julio de 2026 hasta el 31 de julio de 2026; los riegos pasados cuentan por sí solos como realizados. 9 riegos previstos en los próximos 90 días, el siguiente mañana a las 05:00.`,
  moved: '9 riegos futuros desplazados de 05:00 a 05:30.',
  company: 'Mas Rouge; huso horario Europe/Paris.',
  alert:
    'Nueva alerta, North 1: se dispara por debajo del 19,5 %, hasta el 24,5 %, con un recordatorio cada día a las 08:00 (Europe/Paris). No tiene sensor de humedad del suelo, así que nunca se dispara: list_modules da las sondas. Está en reposo, sin ninguna medida de humedad hasta hoy.',
  changes: [
    'en pausa en lugar de en marcha',
    'el 26 de junio a las 06:00 en lugar del 27 de junio a las 06:00',
  ],
  overnight: 'desde el 27 de junio a las 23:30 hasta el 28 de junio a las 00:45 (Europe/Paris)',
  inOtherYear: 'el 27 de junio de 2026 a las 23:30',
  firing:
    'Su alerta está disparada desde el 29 de junio a las 12:00: 18,4 %, por debajo del 19,5 %.',
  firingOnStaleData:
    'Su alerta cuenta como disparada desde el 29 de junio a las 12:00, pero su última medida es de ayer a las 00:00.',
};

describe.each([FRENCH, SPANISH])('in $lang', (translation) => {
  const { lang } = translation;
  const summaryOf = async (
    farm: TestFarm,
    tool: string,
    args: Record<string, unknown>,
  ): Promise<string> => (await farm.tool(tool, args, { lang })).summary;

  it('a watering is summarized with its dose and the basis of it', () =>
    withFarm(async (farm) => {
      await farm.declare('North 1', DRIP);
      // 45 min at 3.2 mm/h are 2.4 mm, over 0.35 of the area 6.86 mm.
      expect(await summaryOf(farm, 'log_watering', { module: 'North 1', ...MORNING })).toBe(
        translation.logged,
      );
    }));

  it('a watering without equipment is summarized with what to declare', () =>
    withFarm(async (farm) => {
      expect(await summaryOf(farm, 'log_watering', { module: 'South block', ...MORNING })).toBe(
        translation.loggedWithoutSetup,
      );
    }));

  it('a correction and a list are summarized with their states', () =>
    withFarm(async (farm) => {
      await farm.declare('North 1', { ...DRIP, fractionWetted: 0.5 });
      const { event } = await farm.log('North 1', MORNING);
      const correction = {
        eventId: event.id,
        startedAt: 'yesterday 6:00',
        inputMode: 'duration',
        durationMin: 30,
      };
      expect(await summaryOf(farm, 'correct_watering', correction)).toBe(
        translation.corrected(event.id),
      );
      await farm.log('North 1', { ...MORNING, startedAt: 'tomorrow 6:00' });
      expect(await summaryOf(farm, 'list_waterings', { module: 'North 1' })).toBe(
        translation.listed,
      );
      const planned = { module: 'North 1', status: 'planned' };
      expect(await summaryOf(farm, 'list_waterings', planned)).toBe(translation.planned);
    }));

  it('equipment is summarized with what it lacks', () =>
    withFarm(async (farm) => {
      await farm.log('North 1', {
        ...MORNING,
        inputMode: 'volume_m3',
        inputVolumeM3: 12,
        durationMin: undefined,
      });
      expect(await summaryOf(farm, 'set_module_installation', { module: 'North 1', ...DRIP })).toBe(
        translation.setup,
      );
    }));

  it('a schedule is summarized with its days, and with what is planned', () =>
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
      const { id, summary } = await farm.tool<{ id: number }>('create_schedule', plan, { lang });
      // Thursdays 2, 9, 16, 23 and 30, Mondays 6, 13, 20 and 27.
      expect(summary).toBe(translation.schedule(id));
      expect(
        await summaryOf(farm, 'update_schedule', { scheduleId: id, startTimes: ['05:30'] }),
      ).toContain(translation.moved);
    }));

  it('a company and an alert are summarized', () =>
    withFarm(async (farm) => {
      expect(await summaryOf(farm, 'get_company', {})).toBe(translation.company);
      expect(await summaryOf(farm, 'create_alert', { module: 'North 1', threshold: 19.5 })).toBe(
        translation.alert,
      );
    }));

  it('a change is listed with the values before and after it', () =>
    withFarm(async (farm) => {
      const alert = await farm.tool<{ id: string }>('create_alert', {
        module: 'North 1',
        threshold: 19.5,
      });
      await farm.tool('update_alert', { alertId: alert.id, isActive: false });
      const { event } = await farm.log('North 1', { ...MORNING, startedAt: '2026-06-27 06:00' });
      const correction = {
        eventId: event.id,
        startedAt: '2026-06-26 06:00',
        inputMode: 'duration',
        durationMin: 45,
      };
      await farm.tool('correct_watering', correction);
      const { summary } = await farm.wire<{ summary: string }>('list_changes', {}, { lang });
      for (const change of translation.changes) expect(summary).toContain(change);
    }));

  it('a length of time over midnight names both days', () =>
    withFarm(async (farm) => {
      const night = {
        module: 'North 1',
        startedAt: '2026-06-27 23:30',
        inputMode: 'duration',
        durationMin: 75,
      };
      expect(await summaryOf(farm, 'log_watering', night)).toContain(translation.overnight);
      farm.now = FARM_NOW + 200 * DAY;
      expect(await summaryOf(farm, 'list_waterings', {})).toContain(translation.inOtherYear);
    }));

  it('a refusal is in English, since it is for the model', () =>
    withFarm(async (farm) => {
      await expect(farm.tool('get_module', { module: 'East' }, { lang })).rejects.toMatchObject({
        message: 'No probe is called "East".',
      });
    }));

  it('a firing alert is described with its newest value, or with how old that is', () => {
    const parts = { directory: { modules: async () => [], parcels: async () => [] } };
    const context = { now: FARM_NOW, zone: 'Europe/Paris', isZoneDeclared: true, lang, ...parts };
    const firing = { threshold: '19.5', hysteresis: '5', value: 18.4, since: FARM_NOW - 2 * DAY };
    expect(describeFiring({ ...firing, evaluatedAt: FARM_NOW }, context)).toBe(translation.firing);
    expect(describeFiring({ ...firing, evaluatedAt: FARM_NOW - 1.5 * DAY }, context)).toBe(
      translation.firingOnStaleData,
    );
  });
});

describe('a module without a name', () => {
  const nameless = (farm: TestFarm): Promise<number> =>
    farm.write((db) =>
      insertFarmRow(db, 'modules', bareModule({ uid: 'FF-17', number: 12, commissioned_at: 1 })),
    );

  it.each([
    ['en', 'Soil probe 12'],
    ['fr', 'Sonde 12'],
    ['es', 'Sonda 12'],
  ] as const)('has the default name of the language of the caller: %s', (lang, name) =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      const { summary, ...module } = await farm.tool<{ name: string }>(
        'get_module',
        { module: `#${id}` },
        { lang },
      );
      expect([module.name, summary.startsWith(name)]).toEqual([name, true]);
    }),
  );

  it.each(
    LANGS.flatMap((lang) =>
      ['Soil probe 12', 'sonde 12', 'Sonda 12'].map((text) => [lang, text] as const),
    ),
  )('is found in %s by the default name of any language: %s', (lang, text) =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      expect(await farm.tool('get_module', { module: text }, { lang })).toMatchObject({ id });
      expect(await farm.tool('list_modules', { search: text }, { lang })).toMatchObject({
        data: [{ id }],
      });
    }),
  );

  it('yields to one whose own name is its name in another language', () =>
    withFarm(async (farm) => {
      await nameless(farm);
      const named = await farm.write((db) =>
        insertFarmRow(
          db,
          'modules',
          bareModule({ uid: 'FF-18', name: 'Sonde 12', commissioned_at: 1 }),
        ),
      );
      expect(await farm.tool('get_module', { module: 'Sonde 12' })).toMatchObject({ id: named });
    }));

  it('is labelled in English over the wire, unless the request names a language', () =>
    withFarm(async (farm) => {
      const id = await nameless(farm);
      expect(await farm.wire('get_module', { moduleId: id }, { lang: 'fr' })).toMatchObject({
        name: 'Soil probe 12',
      });
      expect(await farm.wire('get_module', { moduleId: id, lang: 'es' })).toMatchObject({
        name: 'Sonda 12',
      });
    }));
});

it.each([
  ['fr', '1 déjà présente.'],
  ['es', '1 ya guardada.'],
] as const)('counts one reading that was already stored in the singular in %s', (lang, text) => {
  const counts = { written: 2, changed: 0, unchanged: 1, isDryRun: false };
  expect(languageOf(lang).csvImport.stored(counts, ['North 1'], 0)).toContain(text);
});
