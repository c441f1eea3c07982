class Item {
  String name;
  Item Item;

  /** Methods, variables and types of one name are three things. */
  Item name(Item Item, String name) {
    int length = length();
    Item.name(Item, name);
    Item next = new Item();
    return length > name.length() ? Item : this.Item;
  }

  int length() {
    int length = 1;
    return length;
  }
}
