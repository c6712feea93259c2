import { describe, expect, it } from 'vitest';
import { suggestedFields } from '../../../src/language/ingest/suggested-fields.ts';

describe('a field of a device', () => {
  it.each([
    ['Soil_Hum', 31.2, 'moisture DEPTH cm %'],
    ['soil_moist', 0.24, 'moisture DEPTH cm m3/m3'],
    ['Soil_T', 8.4, 'temperature DEPTH cm'],
    ['t_soil', 8.4, 'temperature DEPTH cm'],
    ['SoilT', 8.4, 'temperature DEPTH cm'],
    ['T1', 8.4, 'temperature DEPTH cm'],
    ['TempC_SOIL', 8.4, 'temperature DEPTH cm'],
    ['soil_temp_f', 95, 'temperature DEPTH cm °F'],
    ['air_temp', 21, 'temperature air'],
    ['wm1_cb', 45, 'tension DEPTH cm'],
    ['matric_potential_hPa', 450, 'tension DEPTH cm hPa'],
    ['hum_raw', 3120, '?'],
    ['moist_adc', 80, '?'],
    ['moisture', 412, '?'],
    ['temp1', 195, '?'],
    ['soil_temp_hum', 20, '?'],
    ['soil1', 24, '?'],
    ['water', 24, '?'],
    ['watt', 3, '?'],
    ['attempts', 3, '?'],
    ['value', 24, '?'],
  ])('called %s with %d is suggested as %s', (name, value, meaning) => {
    expect(suggestedFields([{ name, value }])).toBe(`${name} = ${meaning}`);
  });

  it('that no sensor of a module measures is left out beside others', () => {
    const fields = [
      { name: 'Soil_Hum', value: 31.2 },
      { name: 'BatV', value: 3.6 },
      { name: 'EC', value: 121 },
      { name: 'rssi', value: -97 },
      { name: 'x', value: 1 },
    ];
    expect(suggestedFields(fields)).toBe('Soil_Hum = moisture DEPTH cm %; x = ?');
    expect(suggestedFields([{ name: 'EC', value: 121 }])).toBe('EC = ?');
  });
});
