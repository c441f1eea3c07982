/** Says hello. */
export default async function () {
  return 'hello';
}
