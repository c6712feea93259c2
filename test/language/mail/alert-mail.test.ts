import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../../src/domain/lang.ts';
import { gatherMail } from '../../../src/language/mail/gathered-mail.ts';
import type {
  AlertMailFacts,
  AlertMailState,
  SoilFigures,
} from '../../../src/language/mail/mail-facts.ts';
import { sanitizeName } from '../../../src/language/mail/mail-facts.ts';
import { renderAlertMail } from './rendered-mails.ts';

/** 06:00 on 3 July in Europe/Paris. */
const AT = Date.UTC(2026, 6, 3, 4);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const KINDS = ['fired', 'reminder', 'resolved', 'stale'] as const;

const firing: AlertMailState = {
  newestAt: AT,
  newestValue: 18.4,
  startedAt: AT - 2 * DAY,
  endedAt: null,
  lowestValue: 17.9,
  isFiring: true,
  ending: 'reached',
};

const SOIL: SoilFigures = {
  fieldCapacity: { value: 31.25, basis: 'annotation' },
  wiltingPoint: { value: 14, basis: 'soil_profile' },
  stressPoint: 19.5,
};

const facts = (
  changes: Partial<AlertMailFacts> = {},
  state: Partial<AlertMailState> = {},
): AlertMailFacts => ({
  kind: 'fired',
  alertKind: 'moisture',
  now: AT + 20 * MINUTE,
  zone: 'Europe/Paris',
  units: 'metric',
  company: 'Mas Rouge',
  module: 'North 1',
  parcel: 'North block',
  threshold: '20',
  hysteresis: '5',
  waterings: [
    { startedAt: Date.UTC(2026, 5, 30, 4), waterMm: 12.54, isConfirmed: true },
    { startedAt: Date.UTC(2026, 5, 28, 4), waterMm: null, isConfirmed: false },
  ],
  soil: SOIL,
  doubts: [],
  ...changes,
  state: { ...firing, ...state },
});

const english = (...args: Parameters<typeof facts>) => renderAlertMail(facts(...args), 'en');
const french = (...args: Parameters<typeof facts>) => renderAlertMail(facts(...args), 'fr');

/** The visible text of a page: without tags, entities decoded. */
const visibleText = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, '\n')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&');

describe('a message that an alert fires', () => {
  it('says where, how dry, below what, since when, how old the value is and when it resolves', () => {
    const { subject, text } = english();
    expect(subject).toBe('Dry soil: North 1 at 18.4 %, threshold 20 %');
    expect(text).toContain('Moisture at North 1 (North block) is below 20 %.');
    expect(text).toContain('Moisture: 18.4 % on 3 July, 06:00, 20 min ago');
    // 20 + 5.
    expect(text).toContain('Threshold: below 20 %; resolves at 25 % or above');
    expect(text).toContain('Moisture low since: 1 July, 06:00');
    expect(text).toContain('Lowest since: 17.9 %');
    expect(text).toContain('Times are local (Europe/Paris)');
  });

  it.each<[Lang, subject: string, texts: string[]]>([
    [
      'fr',
      'Sol sec : North 1 à 18,4 %, seuil 20 %',
      [
        'L’humidité de North 1 (North block) est sous 20 %.',
        'Humidité : 18,4 % le 3 juillet à 06:00, il y a 20 min',
        'Seuil : sous 20 % ; se termine à 25 % ou plus',
        'Humidité basse depuis : le 1er juillet à 06:00',
        'Derniers arrosages\n- 30 juin à 06:00 : 12,5 mm\n- 28 juin à 06:00 : dose inconnue (non confirmé)',
        'Heures locales (Europe/Paris)',
      ],
    ],
    [
      'es',
      'Suelo seco: North 1 al 18,4 %, umbral 20 %',
      [
        'La humedad de North 1 (North block) está por debajo del 20 %.',
        'Humedad: 18,4 % el 3 de julio, 06:00, hace 20 min',
        'Umbral: por debajo del 20 %; se resuelve al 25 % o más',
        'Humedad baja desde: el 1 de julio, 06:00',
        'Mínimo desde entonces: 17,9 %',
        'Capacidad de campo: 31,25 % (la línea trazada en la curva)',
        'Punto de marchitez: 14 % (el suelo de la parcela)',
        'Últimos riegos\n- 30 de junio, 06:00: 12,5 mm\n- 28 de junio, 06:00: dosis desconocida (sin confirmar)',
        'Horas locales (Europe/Paris)',
      ],
    ],
  ])('says the same in %s, with a decimal comma', (lang, subject, texts) => {
    const mail = renderAlertMail(facts(), lang);
    expect(mail.subject).toBe(subject);
    for (const text of texts) expect(mail.text).toContain(text);
  });

  it('names the last waterings with their dose, where it is missing, and which ones nobody confirmed', () => {
    expect(english().text).toContain(
      'Last waterings\n- 30 June, 06:00: 12.5 mm\n- 28 June, 06:00: dose unknown (unconfirmed)',
    );
    expect(english({ waterings: [] }).text).toContain('None recorded.');
  });

  it('says what field capacity and wilting point are and where they come from, or that none is declared', () => {
    const { text } = english();
    expect(text).toContain('Field capacity: 31.25 % (the line drawn on the curve)');
    expect(text).toContain('Wilting point: 14 % (the soil of the parcel)');
    const soil = { ...SOIL, fieldCapacity: null };
    expect(english({ soil }).text).toContain('Field capacity: not declared');
    expect(french({ soil }).text).toContain('Capacité au champ : non déclarée');
  });

  it('does not say that it is below the threshold when it is above it again but not resolved', () => {
    const { text } = english({}, { newestValue: 22.1 });
    expect(text).toContain('Moisture at North 1 (North block) fell below 20 %.');
    expect(text).toContain(
      'It is above 20 % again, and below the 25 % at which the alert resolves.',
    );
    expect(text).not.toContain('is below 20 %');
  });

  it('adds threshold and hysteresis as decimals', () => {
    // 0.1 + 0.2 is 0.30000000000000004 in binary.
    expect(english({ threshold: '0.1', hysteresis: '0.2' }).text).toContain(
      'below 0.1 %; resolves at 0.3 % or above',
    );
    expect(french({ threshold: '19.95' }).text).toContain(
      'sous 19,95 % ; se termine à 24,95 % ou plus',
    );
  });

  it('leaves the parcel out where there is none', () => {
    expect(english({ parcel: null }).text).toContain('Moisture at North 1 is below');
  });

  it('says the year where it is not this one, and which one in an hour that occurs twice', () => {
    // 02:30 on 25 October 2026 in Paris, first at UTC+2.
    const fold = Date.UTC(2026, 9, 25, 0, 30);
    expect(english({ now: fold + MINUTE }, { newestAt: fold }).text).toContain(
      'on 25 October, 02:30 (summer time), 1 min ago',
    );
    expect(english({ now: Date.UTC(2027, 0, 2) }, {}).text).toContain(
      'Moisture low since: 1 July 2026, 06:00',
    );
  });
});

describe('a reminder', () => {
  it('counts the local days since it fired and says for how long', () => {
    const { subject, text } = english({ kind: 'reminder' });
    // Fired on the 1st, reported on the 3rd.
    expect(subject).toBe('Still dry, day 3: North 1 at 18.4 %, threshold 20 %');
    expect(text).toContain('has been firing for 2 days.');
  });

  it('counts days of the company’s calendar, not stretches of 24 hours', () => {
    // 23:50 on 2 July to 08:00 on 3 July in Paris.
    const state = { startedAt: Date.UTC(2026, 6, 2, 21, 50) };
    expect(english({ kind: 'reminder', now: Date.UTC(2026, 6, 3, 6) }, state).subject).toContain(
      'day 2',
    );
  });

  it('says how old the data is when nothing has arrived for long', () => {
    const { text } = english({ kind: 'reminder', now: AT + 30 * HOUR });
    expect(text).toContain('Its newest value is 30 h old, too old to show the current state.');
    expect(text).toContain('Check the probe and its gateway');
    expect(english({ kind: 'reminder' }).text).not.toContain('too old');
  });
});

describe('a message that an alert has resolved', () => {
  it('says how long it fired and the lowest value', () => {
    const state = { newestValue: 25.3, endedAt: AT, isFiring: false };
    const { subject, text } = english({ kind: 'resolved' }, state);
    expect(subject).toBe('Resolved: North 1 at 25.3 %');
    expect(text).toContain('has reached 25 %: the alert has resolved.');
    expect(text).toContain('It fired for 2 days, with 17.9 % at the lowest.');
    expect(text).not.toContain('Moisture low since');
  });

  it('says that the threshold was changed, where that is why', () => {
    const { subject, text } = english(
      { kind: 'resolved', threshold: '15' },
      { isFiring: false, ending: 'rule_changed' },
    );
    expect(subject).toBe('Resolved: the threshold of North 1 was changed');
    expect(text).toContain('no longer fires, because its threshold or hysteresis was changed.');
    expect(text).not.toContain('has reached');
  });
});

describe('a message that data has gone stale', () => {
  it('says since when no reading arrived, that the alert cannot watch, and what to check', () => {
    const { subject, text } = english({ kind: 'stale', now: AT + 26 * HOUR });
    expect(subject).toBe('No data from North 1 for 26 h: its alert cannot work');
    expect(text).toContain(
      'has sent no moisture since 3 July, 06:00, so its alert can neither fire nor resolve',
    );
    expect(text).toContain('It was firing, and still counts as firing.');
    expect(text).toContain('Check the probe and its gateway (power, place, network)');
    const quiet = english(
      { kind: 'stale', now: AT + 26 * HOUR },
      { isFiring: false, startedAt: null, lowestValue: null },
    );
    expect(quiet.text).toContain('It was quiet.');
  });
});

describe.each<[Lang, string[]]>([
  [
    'fr',
    [
      'Toujours sec, jour 3 : North 1 à 18,4 %, seuil 20 %',
      'Alerte terminée : North 1 à 25,3 %',
      'Elle a duré 2 jours, avec 17,9 % au plus bas.',
      'Alerte terminée : le seuil de North 1 a été changé',
      'Alerte retirée : North 1 à 18,4 %',
      'Pas de données de North 1 depuis 26 h : l’alerte ne surveille plus',
    ],
  ],
  [
    'es',
    [
      'Sigue seco, día 3: North 1 al 18,4 %, umbral 20 %',
      'Alerta resuelta: North 1 al 25,3 %',
      'Duró 2 días, con un mínimo del 17,9 %.',
      'Alerta resuelta: se ha cambiado el umbral de North 1',
      'Alerta retirada: North 1 al 18,4 %',
      'Sin datos de North 1 desde hace 26 h: su alerta no puede vigilar',
    ],
  ],
])(
  'the later messages of an alert in %s',
  (lang, [reminder, resolved, lasted, ruleChanged, withdrawn, stale]) => {
    const mail = (...of: Parameters<typeof facts>) => renderAlertMail(facts(...of), lang);

    it('say what the English ones say', () => {
      const ended = { newestValue: 25.3, endedAt: AT, isFiring: false };
      expect(mail({ kind: 'reminder' }).subject).toBe(reminder);
      expect(mail({ kind: 'resolved' }, ended).subject).toBe(resolved);
      expect(mail({ kind: 'resolved' }, ended).text).toContain(lasted);
      expect(mail({ kind: 'resolved' }, { isFiring: false, ending: 'rule_changed' }).subject).toBe(
        ruleChanged,
      );
      expect(mail({ kind: 'resolved' }, { isFiring: false, ending: 'corrected' }).subject).toBe(
        withdrawn,
      );
      expect(mail({ kind: 'stale', now: AT + 26 * HOUR }).subject).toBe(stale);
    });
  },
);

/** The page has the label and the value of a line in a cell each. */
const labelAndValue = (line: string): string[] =>
  line
    .replace(/^- /, '')
    .split(/^(?:([^:(]+?) ?: )/)
    .filter(Boolean);

it('keeps figures and signs together on the page, also on one of several messages, and names as they are', () => {
  const mail = french({ module: 'Rang 12 mm : est' });
  const gathered = gatherMail([mail, french()], 'fr');
  for (const { html, text } of [mail, gathered]) {
    expect(html).toContain('sous 20&nbsp;%&nbsp;; se termine à 25&nbsp;% ou plus');
    expect(html).toContain('06:00&nbsp;: 12,5&nbsp;mm');
    expect(html).toContain('Rang 12 mm : est');
    expect(text).not.toContain('\u00a0');
  }
});

describe('any message', () => {
  const cases = KINDS.flatMap((kind) => LANGS.map((lang) => [kind, lang] as const));

  it.each(cases)('%s in %s says on the page what it says in plain text', (kind, lang) => {
    const { subject, text, html } = renderAlertMail(facts({ kind }), lang);
    const page = visibleText(html);
    const lines = text.split('\n').filter((line) => line !== '' && line !== '-- ');
    for (const part of lines.flatMap(labelAndValue)) expect(page).toContain(part);
    expect(page).toContain(subject);
    expect(html).toContain(`<html lang="${lang}">`);
  });

  it.each(cases)('%s in %s is complete even if nothing is known', (kind, lang) => {
    const nothing: Partial<AlertMailState> = {
      newestAt: null,
      newestValue: null,
      startedAt: null,
      lowestValue: null,
      isFiring: false,
    };
    const { subject, text, html } = renderAlertMail(
      facts(
        {
          kind,
          waterings: [],
          soil: { fieldCapacity: null, wiltingPoint: null, stressPoint: null },
        },
        nothing,
      ),
      lang,
    );
    for (const each of [subject, text, html])
      expect(each).not.toMatch(/null|undefined|NaN|Invalid/);
  });

  const languages = fc.constantFrom<Lang>(...LANGS);
  const hostile = fc
    .array(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '&',
        '\r',
        '\n',
        '\u0000',
        '\u2028',
        '\u202e',
        '\t',
        'a',
        'é',
        '💧',
        ' ',
      ),
    )
    .map((signs) => sanitizeName(signs.join('')));

  it('lets no name break a line of the subject or a tag of the page', () => {
    fc.assert(
      fc.property(
        hostile,
        hostile,
        hostile,
        fc.constantFrom(...KINDS),
        languages,
        (module, parcel, company, kind, lang) => {
          const { subject, html } = renderAlertMail(facts({ kind, module, parcel, company }), lang);
          expect(subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
          const tags = (page: string) => page.match(/<[^>]*>/g);
          expect(tags(html)).toEqual(tags(renderAlertMail(facts({ kind }), lang).html));
        },
      ),
    );
  });
});

describe('a name in a message', () => {
  it.each([
    ['a\r\nBcc: all@example.org', 'a Bcc: all@example.org'],
    ['  North\t1 \u0000', 'North 1'],
    ['1 htroN\u202e', '1 htroN'],
    ['Cave à vin', 'Cave à vin'],
  ])('%j becomes %j', (name, clean) => expect(sanitizeName(name)).toBe(clean));

  it('is cut after eighty characters, whole ones', () => {
    expect([...sanitizeName('💧'.repeat(500))]).toEqual([...'💧'.repeat(79), '…']);
    expect(sanitizeName('n'.repeat(80))).toBe('n'.repeat(80));
  });
});
