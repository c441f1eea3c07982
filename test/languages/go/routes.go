package main

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/go-chi/chi/v5"
)

type server struct {
	router *chi.Mux
	client *http.Client
}

func (s *server) routes(mux *http.ServeMux, engine *gin.Engine) {
	http.HandleFunc("/plain", s.list)
	mux.HandleFunc("GET /items/{id}", s.list)
	mux.Handle("/files/", http.FileServer(http.Dir(".")))
	s.router.Get("/health", func(w http.ResponseWriter, r *http.Request) { s.list(w, r) })
	r := chi.NewRouter()
	r.Route("/users", func(r chi.Router) {
		r.With(auth).Get("/", s.list)
		r.Group(func(r chi.Router) {
			r.Post("/", s.create)
			r.Route("/{id}", func(r chi.Router) { r.Delete("/", s.remove) })
		})
	})
	r.Method(http.MethodPut, "/put", s)
	r.Mount("/admin", adminRouter())
	v1 := engine.Group("/v1")
	v1.GET("/ping", auth, s.ping)
	v1.Group("/deep").Any("/x", s.ping)
	s.client.Get("/no/route")
	http.Get("http://example.org/")
	unknown.Get("/maybe", handler)
	cache.Get("key", handler)
}

func adminRouter() http.Handler {
	r := chi.NewRouter()
	r.Get("/stats", stats)
	return r
}
