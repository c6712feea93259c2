import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { type DoubtMailFacts, renderDoubtPush } from '../../../src/language/mail/doubt-mail.ts';
import { renderAlertMail, renderDoubtMail } from './rendered-mails.ts';

const AT = Date.UTC(2026, 6, 1, 4);

const place = {
  now: AT,
  zone: 'America/Los_Angeles',
  units: 'us',
  company: 'Rancho 40 ha',
  module: 'Probe 30 cm',
  parcel: null,
} as const;

const doubt: DoubtMailFacts = {
  ...place,
  doubts: [{ reason: 'SENSOR_STUCK', since: AT }],
  readings: [
    {
      reason: 'SENSOR_STUCK',
      depthCm: 30,
      value: 21.5,
      limit: null,
      since: Date.parse('2026-06-29T04:00:00.000Z'),
    },
  ],
  meanwhile: { basis: 'balance', module: null, waterMm: 18.2, durationMin: 240, daysToStress: 0 },
};

describe('mail to a farm with US units', () => {
  // 18.2 mm / 25.4 is 0.72 in; 30 cm / 2.54 is 11.8 in.
  it.each<[Lang, RegExp, RegExp]>([
    ['en', /21\.5 % at 12 in \(30 cm\)/, /4 h, 0\.72 in \(18 mm\)\./],
    ['es', /21,5 % a 12 pulg\. \(30 cm\)/, /4 h, 0,72 pulg\. \(18 mm\)\./],
    ['fr', /21,5 % à 12 po \(30 cm\)/, /4 h, 0,72 po \(18 mm\)\./],
  ])('about a doubt is in inches, in %s', (lang, depth, water) => {
    const { subject, text } = renderDoubtMail(doubt, lang);
    expect(text).toMatch(depth);
    expect(text).toMatch(water);
    expect(subject).toContain('Probe 30 cm');
    expect(text).toContain('Rancho 40 ha');
    expect(renderDoubtPush(doubt, lang).body).toMatch(depth);
  });

  it('about an alert has waterings in inches', () => {
    const { text, html } = renderAlertMail(
      {
        ...place,
        kind: 'fired',
        alertKind: 'moisture',
        threshold: '20',
        hysteresis: '5',
        state: {
          newestAt: AT,
          newestValue: 19,
          startedAt: AT,
          endedAt: null,
          lowestValue: 19,
          isFiring: true,
          ending: 'reached',
        },
        waterings: [{ startedAt: AT, waterMm: 12.7, isConfirmed: true }],
        soil: null,
        doubts: [],
      },
      'en',
    );
    expect(text).toContain(': 0.5 in (12.7 mm)');
    expect(text).toContain('Moisture at Probe 30 cm is below 20 %.');
    expect(html).toContain('Probe 30 cm');
    expect(html).toContain('0.5&nbsp;in (12.7&nbsp;mm)');
  });
});
