/** The shop. */
open module com.acme.shop {
  requires transitive java.sql;
  exports com.acme.shop to com.acme.web;
  uses com.acme.shop.Item;
}
