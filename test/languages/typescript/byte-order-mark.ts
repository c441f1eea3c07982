export const marked = 1;
