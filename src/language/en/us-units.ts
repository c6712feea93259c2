/** Units of the United States for water and depths, which the page has too. */
export const englishUsUnits = {
  inches: 'in',
  gallons: 'gal',
  acreInches: 'acre-inches',
  /** Names the unit of figures in a label. */
  waterLabel: 'inches',
  thousands: ',',
};

/** The other units. */
export const englishQuantities = {
  feet: 'ft',
  acres: 'acres',
  squareFeet: 'sq ft',
  gallonsPerHour: 'gph',
};
