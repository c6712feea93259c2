/** Units of the United States for water and depths, which the page has too. */
export const frenchUsUnits = {
  inches: 'po',
  gallons: 'gal',
  acreInches: 'acres-pouces',
  /** Names the unit of figures in a label. */
  waterLabel: 'po',
  thousands: '\u202f',
};

/** The other units. */
export const frenchQuantities = {
  feet: 'pi',
  acres: 'acres',
  squareFeet: 'pi²',
  gallonsPerHour: 'gal/h',
};
