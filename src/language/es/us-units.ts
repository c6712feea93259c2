/** Units of the United States for water and depths, which the page has too. */
export const spanishUsUnits = {
  inches: 'pulg.',
  gallons: 'gal',
  acreInches: 'acre-pulgadas',
  /** The unit in the label of figures that stand without it. */
  waterUnit: 'pulg.',
  // A point would make 1.000 gallons of one thousand, or one.
  thousands: '\u202f',
};

/** The other units. */
export const spanishQuantities = {
  feet: 'pies',
  acre: 'acre',
  acres: 'acres',
  squareFeet: 'pies²',
  gallonsPerHour: 'gal/h',
};
