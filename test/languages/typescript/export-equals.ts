class Whole {}
export = Whole;
