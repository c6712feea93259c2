export const englishPage = {
  farm: 'Farm',
};
