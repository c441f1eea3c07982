package com.acme.web;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import org.springframework.web.bind.annotation.*;

@RestController
@RequestMapping(path = "/owners", produces = "application/json")
class OwnerController {
  private static final String FIND = "/find";

  @GetMapping
  List<Owner> all() {
    return null;
  }

  @GetMapping({"/{id}", "/by-id/{id}"})
  Owner one(@PathVariable("id") int id) {
    return null;
  }

  @PostMapping(value = "/new", consumes = {"a/b", "c/d"})
  String create(Owner owner) {
    return "x";
  }

  @RequestMapping(value = FIND + "/all", method = {RequestMethod.GET, RequestMethod.HEAD})
  String find() {
    return "x";
  }

  @RequestMapping("any")
  String any() {
    return "x";
  }

  @ExceptionHandler("/not/a/route")
  String failed() {
    return "x";
  }
}

@Path("/pets")
class PetResource {
  @GET
  public String all() {
    return "";
  }

  @POST
  @Path("{id}/visits")
  public String visit() {
    return "";
  }

  @Path("/sub")
  public Object locator() {
    return null;
  }
}
