import { describe, expect } from 'vitest';
import { LANGS } from '../../../src/domain/lang.ts';
import { listEnums } from '../../../src/service/company/company.ts';
import { it } from '../../farm.ts';

/** The ten lists and their codes. Source: spec, "Enumerations catalog". */
const CODES = {
  measurement_types: ['humidity', 'temperature', 'tensio'],
  company_roles: ['OWNER', 'MANAGER', 'VIEWER'],
  agronomic_states: ['saturated', 'comfort', 'stress'],
  irrigation_systems: [
    'drip',
    'micro_sprinkler',
    'sprinkler',
    'pivot',
    'gravity',
    'manual',
    'other',
  ],
  irrigation_input_modes: ['duration', 'depth_mm', 'volume_m3'],
  irrigation_event_statuses: ['planned', 'done', 'skipped'],
  irrigation_event_sources: ['manual', 'schedule', 'api', 'mcp'],
  irrigation_schedule_freqs: ['daily', 'weekly'],
  irrigation_confirmation_policies: ['auto', 'manual'],
  irrigation_warnings: [
    'NO_INSTALLATION',
    'MISSING_FLOW_RATE',
    'MISSING_IRRIGATED_AREA',
    'DEFAULT_FRACTION_WETTED',
  ],
};

describe('the enumerations catalog', () => {
  it.each(LANGS)('has the ten lists with their codes in %s', (lang) => {
    const codes = Object.fromEntries(
      Object.entries(listEnums(lang)).map(([list, entries]) => [
        list,
        entries.map(({ code }) => code),
      ]),
    );
    expect(codes).toEqual(CODES);
  });

  it.each(LANGS)('has different labels in each list in %s', (lang) => {
    for (const [list, entries] of Object.entries(listEnums(lang))) {
      const labels = entries.map(({ label }) => label.trim());
      expect(labels, list).not.toContain('');
      expect(new Set(labels).size, list).toBe(labels.length);
    }
  });

  it('is in the requested language, otherwise in the server’s', async ({ farm }) => {
    const drip = {
      irrigation_systems: expect.arrayContaining([{ code: 'drip', label: 'Goutte-à-goutte' }]),
    };
    expect(await farm.tool('get_enums', { lang: 'fr' })).toMatchObject(drip);
    expect(await farm.tool('get_enums', {}, { lang: 'fr' })).toMatchObject(drip);
    expect(await farm.tool('get_enums')).not.toMatchObject(drip);
  });

  it('is summarized with the number of its lists and codes', async ({ farm }) => {
    const codes = Object.values(CODES).flat().length;
    expect((await farm.tool('get_enums')).summary).toBe(
      `10 lists of codes with their labels, ${codes} codes in all.`,
    );
  });

  it('is refused in another language: invalid_parameter', async ({ farm }) => {
    await expect(farm.tool('get_enums', { lang: 'de' })).rejects.toMatchObject({
      code: 'invalid_parameter',
      field: 'lang',
    });
  });
});
