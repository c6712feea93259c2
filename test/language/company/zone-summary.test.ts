import { describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import {
  describeZoneChange,
  type ZoneAdvisory,
} from '../../../src/language/company/zone-summary.ts';
import { renderText, renderTextIn } from '../render-text.ts';

const NORTH = { name: 'North 1', starts: ['05:00', '18:30'], timezone: 'America/New_York' };
const ROW = { name: 'Row 2 in (50 mm)', starts: ['06:00'], timezone: 'Europe/Paris' };

const schedulesOf = (count: number, ...schedules: (typeof NORTH)[]): ZoneAdvisory => ({
  kind: 'schedules_keep_zone',
  schedules,
  count,
});

const remindersOf = (count: number, ...names: string[]): ZoneAdvisory => ({
  kind: 'reminders_follow_zone',
  alerts: names.map((name) => ({ name, reminderTime: '08:00:00' })),
  count,
});

describe('another time zone of the company', () => {
  it.each<[string, ZoneAdvisory]>([
    [
      '1 schedule keeps its own time zone and plans waterings at the same instants as before. In the new time zone of the company: North 1 at 05:00 and 18:30 (it keeps America/New_York).',
      schedulesOf(1, NORTH),
    ],
    [
      '2 schedules keep their own time zones and plan waterings at the same instants as before. In the new time zone of the company: North 1 at 05:00 and 18:30 (it keeps America/New_York); "Row 2 in (50 mm)" at 06:00 (it keeps Europe/Paris).',
      schedulesOf(2, NORTH, ROW),
    ],
    [
      '5 schedules keep their own time zones and plan waterings at the same instants as before. In the new time zone of the company: "Row 2 in (50 mm)" at 06:00 (it keeps Europe/Paris); and 4 more.',
      schedulesOf(5, ROW),
    ],
    [
      'The daily reminders of 1 alert follow the new time zone: North 1, 08:00.',
      remindersOf(1, 'North 1'),
    ],
    [
      'The daily reminders of 3 alerts follow the new time zone: North 1, 08:00; North 2, 08:00; and 1 more.',
      remindersOf(3, 'North 1', 'North 2'),
    ],
  ])('means %j, in every unit system', (sentence, advisory) => {
    const text = describeZoneChange(advisory);
    expect(renderText(text)).toBe(sentence);
    expect(renderText(text, 'us')).toBe(sentence);
  });

  it.each<[Lang, string, string]>([
    [
      'fr',
      '3 programmes gardent leur propre fuseau horaire et prévoient leurs arrosages aux mêmes instants qu’avant. Dans le nouveau fuseau de l’exploitation : North 1 à 05:00 et 18:30 (il garde America/New_York) ; et 2 de plus.',
      'Les rappels quotidiens de 1 alerte suivent le nouveau fuseau horaire : North 1, 08:00.',
    ],
    [
      'es',
      '3 programas conservan su propio huso horario y prevén sus riegos en los mismos instantes que antes. En el nuevo huso de la finca: North 1, 05:00 y 18:30 (conserva America/New_York); y 2 más.',
      'Los recordatorios diarios de 1 alerta siguen el nuevo huso horario: North 1, 08:00.',
    ],
  ])('is said to a person in %s', (lang, schedules, reminders) => {
    const said = (advisory: ZoneAdvisory) => renderTextIn(lang, describeZoneChange(advisory, lang));
    expect(said(schedulesOf(3, NORTH))).toBe(schedules);
    expect(said(remindersOf(1, 'North 1'))).toBe(reminders);
  });
});
