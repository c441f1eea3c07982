export const größe = 1;
export const 名前 = () => größe;
const text = "😀", after = 名前(größe);
